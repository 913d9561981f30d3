import type { ShellCommand } from './shell-words.js';
import type { SubjectTree } from './subject-tree.js';
import { isInnerPath, nearestFile } from './subject-tree.js';

/** A command of a report that can be launched: words for a step, or the text of an inline script with its arguments. */
export interface ProgramCall {
  /** Words after the interpreter; a file of the tree, `-m module`, or null where `inline` holds the script. */
  target:
    | { type: 'file'; path: string }
    | { type: 'module'; name: string }
    | { type: 'inline'; text: string }
    | { type: 'unknown-file'; path: string };
  interpreterOptions: string[];
  args: string[];
  env: Record<string, string>;
  ranks: number;
  directory: string;
  repairs: string[];
  /** The command starts one rank of several by its variables: its peers are the same step. */
  oneOfRanks: boolean;
}

const PYTHON = /^(?:.*\/)?(?:python|pypy)(?:\d(?:\.\d{1,2})?)?(?:\.exe)?$|^py$/;
/** Words that stand before a command and change nothing that matters here. */
const WRAPPERS = new Set(['time', 'nohup', 'sudo', 'env', 'exec', 'stdbuf', 'command']);
const RUNNERS = new Set(['uv', 'poetry', 'pipenv', 'pdm', 'hatch', 'rye']);
/** Interpreter options without a value that are kept; all of them only change how Python itself behaves. */
const KEPT_OPTIONS = /^-(?:[uBOOWXsSEIbq]+|O)$/;
const VALUE_OPTIONS = new Set(['-W', '-X']);
/** Test runners that may come from the environment instead of the tree. */
const KNOWN_MODULES = new Set(['pytest', 'unittest']);
/** Variables that decide what the harness decides: they would lead out of the subject's copy or the sandbox. */
const HARNESS_VARIABLES =
  /^(?:PATH|HOME|PYTHONPATH|PYTHONHOME|PYTHONSTARTUP|PROJECT_DIR|TMPDIR|LD_.*|DYLD_.*|RANK|LOCAL_RANK|WORLD_SIZE|MASTER_ADDR|MASTER_PORT|.*(?:KEY|TOKEN|SECRET|PASSWORD|_PROXY)|.*_proxy)$/;
const MAX_RANKS = 64;

/** True for a variable that the harness sets itself, or that could carry a secret. */
export function isHarnessVariable(name: string): boolean {
  return HARNESS_VARIABLES.test(name);
}

/**
 * Reads one shell command as the start of a Python program: `python`, `torchrun`, `python -m torch.distributed.launch`,
 * `accelerate launch`, `pytest`, or a script file by itself. Anything else is null: a report never starts another program.
 */
export function readProgram(command: ShellCommand, tree: SubjectTree): ProgramCall | null {
  if (command.directory === null) return null;
  const { words, env, repairs } = withoutWrappers(command);
  const call: ProgramCall = {
    target: { type: 'inline', text: '' },
    interpreterOptions: [],
    args: [],
    env: keepEnvironment(env, repairs),
    ranks: ranksOf(env),
    directory: knownDirectory(command.directory, tree),
    repairs,
    oneOfRanks: ranksOf(env) > 1,
  };
  const [first, ...rest] = words;
  if (first === undefined) return null;
  if (PYTHON.test(first)) return readPython(call, rest, tree);
  if (first === 'torchrun') return readLauncher(call, rest, tree);
  if (first === 'accelerate' && rest[0] === 'launch') return readLauncher(call, rest.slice(1), tree);
  if (first === 'pytest' || first === 'py.test') return { ...call, target: { type: 'module', name: 'pytest' }, args: rest };
  if (/\.py$/.test(first)) return withFile(call, first, rest, tree);
  return null;
}

/** World size of a command that is one rank of a group started by hand: `RANK=0 WORLD_SIZE=2 python …`. */
function ranksOf(env: Record<string, string>): number {
  const size = env['WORLD_SIZE'] ?? '';
  return 'RANK' in env && /^\d{1,2}$/.test(size) && Number(size) >= 1 && Number(size) <= MAX_RANKS ? Number(size) : 1;
}

/** The folder as the tree has it: `cd my-clone/tools` begins in the clone's own folder. */
function knownDirectory(directory: string, tree: SubjectTree): string {
  const parts = directory.split('/');
  for (let from = 0; from < parts.length; from += 1) {
    const folder = parts.slice(from).join('/');
    if (tree.files.some((file) => file.startsWith(`${folder}/`))) return folder;
  }
  return '.';
}

function withoutWrappers(command: ShellCommand): { words: string[]; env: Record<string, string>; repairs: string[] } {
  let words = command.words.map((word) => word.trim());
  const env = { ...command.env };
  const repairs: string[] = [];
  // `$`, `>>>`-free prompts and notebook marks are taken off where the mention is cut; here only programs are left.
  for (let turn = 0; turn < 6 && words.length > 0; turn += 1) {
    const first = words[0]!;
    const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(first);
    if (assignment) {
      env[assignment[1]!] = assignment[2]!;
      words = words.slice(1);
    } else if (WRAPPERS.has(first)) words = words.slice(1);
    else if (RUNNERS.has(first) && words[1] === 'run') {
      repairs.push(`left out \`${first} run\`: the environment is given`);
      words = words.slice(2);
    } else break;
  }
  return { words, env, repairs };
}

function keepEnvironment(env: Record<string, string>, repairs: string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (isHarnessVariable(name) || value.includes('$') || value.includes('`')) repairs.push(`left out the variable ${name}`);
    else kept[name] = value;
  }
  return kept;
}

function readPython(call: ProgramCall, words: string[], tree: SubjectTree): ProgramCall | null {
  let at = 0;
  while (at < words.length && words[at]!.startsWith('-')) {
    const option = words[at]!;
    if (option === '-m') return readModule(call, words[at + 1], words.slice(at + 2), tree);
    if (option === '-c') {
      const text = words[at + 1];
      return text ? { ...call, target: { type: 'inline', text }, args: words.slice(at + 2) } : null;
    }
    if (VALUE_OPTIONS.has(option)) {
      call.interpreterOptions.push(option, words[at + 1] ?? '');
      at += 2;
    } else {
      if (KEPT_OPTIONS.test(option)) call.interpreterOptions.push(option);
      else if (option === '-' || option === '-i' || option === '-V' || option === '--version' || option === '-h') return null;
      at += 1;
    }
  }
  const file = words[at];
  return file === undefined ? null : withFile(call, file, words.slice(at + 1), tree);
}

function readModule(call: ProgramCall, name: string | undefined, rest: string[], tree: SubjectTree): ProgramCall | null {
  if (name === undefined || !/^[A-Za-z_][\w.]*$/.test(name)) return null;
  if (name === 'torch.distributed.launch' || name === 'torch.distributed.run') return readLauncher(call, rest, tree, name);
  if (name === 'accelerate.commands.launch') return readLauncher(call, rest, tree);
  if (KNOWN_MODULES.has(name)) return { ...call, target: { type: 'module', name }, args: rest };
  return moduleFile(name, tree) === null ? null : { ...call, target: { type: 'module', name }, args: rest };
}

/** File of the tree that `python -m name` runs, also below `src/`; null when the tree has none. */
export function moduleFile(name: string, tree: SubjectTree): string | null {
  const path = name.replaceAll('.', '/');
  for (const root of ['', 'src/']) {
    for (const file of [`${root}${path}.py`, `${root}${path}/__main__.py`]) if (tree.has(file)) return file;
  }
  return null;
}

function withFile(call: ProgramCall, word: string, args: string[], tree: SubjectTree): ProgramCall | null {
  if (!/\.pyw?$/.test(word) || word.length > 300) return null;
  const inDirectory = call.directory === '.' || word.startsWith('/') ? word : `${call.directory}/${word}`;
  const path = inDirectory.replace(/^\.\//, '');
  if (isInnerPath(path) && tree.has(path)) return { ...call, target: { type: 'file', path }, args };
  const near = nearestFile(tree, path);
  if (near === null) return { ...call, target: { type: 'unknown-file', path: word }, args };
  return { ...call, target: { type: 'file', path: near }, args, repairs: [...call.repairs, `\`${word}\` is \`${near}\` in the project`] };
}

/** Options of the launchers: with a value, unless they are listed as flags. */
const LAUNCHER_FLAGS =
  /^--?(?:standalone|use[-_]env|no[-_]python|cpu|use[-_]cpu|multi[-_]gpu|use[-_]fsdp|use[-_]deepspeed|debug|quiet|fp16|m|module)$/;
const RANK_OPTIONS = /^--(?:nproc[-_]per[-_]node|num[-_]processes)$/;

/**
 * `torchrun --nproc_per_node N x.py` and relatives become N rank copies of one step, whose streams stay apart. A program
 * that declares `--local_rank` needs the launcher's own argument, so `torch.distributed.launch` is then kept as it is.
 */
function readLauncher(call: ProgramCall, words: string[], tree: SubjectTree, module?: string): ProgramCall | null {
  let ranks = 1;
  let at = 0;
  let asModule = false;
  while (at < words.length && words[at]!.startsWith('-')) {
    const [option, inline] = splitOption(words[at]!);
    const value = inline ?? words[at + 1] ?? '';
    if (RANK_OPTIONS.test(option)) ranks = /^\d{1,3}$/.test(value) ? Number(value) : 2;
    if (option === '-m' || option === '--module') asModule = true;
    if (/^--(?:use[-_])?cpu$/.test(option)) call.env['ACCELERATE_USE_CPU'] = 'true';
    at += inline !== undefined || LAUNCHER_FLAGS.test(option) ? 1 : 2;
  }
  const target = words[at];
  if (target === undefined || ranks < 1 || ranks > MAX_RANKS) return null;
  const inner = asModule ? readModule(call, target, words.slice(at + 1), tree) : withFile(call, target, words.slice(at + 1), tree);
  if (inner === null) return null;
  const source = inner.target.type === 'file' ? (tree.read(inner.target.path) ?? '') : '';
  if (module === 'torch.distributed.launch' && /['"]--local[-_]rank['"]/.test(source) && inner.target.type === 'file') {
    const args = [`--nproc_per_node=${ranks}`, inner.target.path, ...inner.args];
    return { ...inner, target: { type: 'module', name: module }, args };
  }
  return { ...inner, ranks, repairs: [...inner.repairs, `launcher replaced by ${ranks} rank ${ranks === 1 ? 'copy' : 'copies'}`] };
}

function splitOption(word: string): [string, string | undefined] {
  const equals = word.indexOf('=');
  return equals === -1 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}
