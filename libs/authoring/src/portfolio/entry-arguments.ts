import { findCalls, literalString } from './python-source.js';

/** What an entry point needs and the given arguments leave out, with a word about each addition. */
export interface ArgumentRepair {
  args: string[];
  repairs: string[];
  /** False when something is needed that no rule may invent. */
  complete: boolean;
}

/** A file that no project has, in the writable copy of the subject. Equal for all steps of a candidate, so that a later one finds it. */
const FRESH_FILE = 'out.bin';
const FRESH_FOLDER = 'out';
const FOLDER_NAME = /(?:^|[_\W])(?:dir|directory|folder|root)(?:$|[_\W])/i;
const PATH_NAME =
  /(?:^|[_\W])(?:path|file|filename|fname|ckpt|checkpoint|out|output|outfile|dest|destination|snapshot|weights|save|save_to|model_path|target|log|store|dir|directory|folder|root)(?:$|[_\W])/i;

/**
 * Adds arguments that the program needs and a report leaves out, read from its `sys.argv` or argparse usage. Only an
 * argument that names a file or folder is made up (a fresh name), and a choice only where the report names it; any other
 * needed argument stays missing, since inventing it would change the condition.
 */
export function repairArguments(source: string, args: string[], reportText: string): ArgumentRepair {
  return source.includes('add_argument(') ? repairParsed(source, args, reportText) : repairPositions(source, args);
}

function repairPositions(source: string, args: string[]): ArgumentRepair {
  const result: ArgumentRepair = { args: [...args], repairs: [], complete: true };
  const needed = neededPositions(source);
  for (let position = args.length + 1; position <= needed; position += 1) {
    const name = positionName(source, position);
    if (name === null) return { args, repairs: [], complete: false };
    const value = FOLDER_NAME.test(name) ? FRESH_FOLDER : FRESH_FILE;
    result.args.push(value);
    result.repairs.push(`added the argument \`${value}\`: the program reads sys.argv[${position}] (${name}) and the report leaves it out`);
  }
  return result;
}

/** Highest index of `sys.argv` that is read where no `len(sys.argv)` on the same line guards it. */
function neededPositions(source: string): number {
  let needed = 0;
  for (const line of source.split('\n')) {
    if (line.includes('len(sys.argv)') || /^\s*#/.test(line)) continue;
    for (const match of line.matchAll(/\bsys\.argv\[(\d{1,2})\]/g)) needed = Math.max(needed, Number(match[1]));
  }
  // A guard on a line of its own, such as `if len(sys.argv) < 2:`, makes the need unclear only when it sets a default.
  return /len\(sys\.argv\)\s*[<=>!]=?\s*\d[^\n]{0,40}\n\s*\w+\s*=/.test(source) ? 0 : needed;
}

/** A path-like name for position n of `sys.argv`: the variable, keyword or parameter it is handed to; null when it is no path. */
function positionName(source: string, position: number): string | null {
  const index = `sys\\.argv\\[${position}\\]`;
  if (new RegExp(`\\b(?:int|float|bool)\\(\\s*${index}`).test(source)) return null;
  // A key of a table or a compared word is a mode, not a path.
  if (new RegExp(`\\[\\s*${index}\\s*\\]|${index}\\s*(?:[=!]=|in\\b)`).test(source)) return null;
  const direct =
    new RegExp(`\\b(\\w{1,40})\\s*=\\s*(?:Path\\(\\s*)?${index}`).exec(source)?.[1] ??
    new RegExp(`\\b(open|load|save|Path)\\(\\s*${index}`).exec(source)?.[1];
  if (direct !== undefined) return PATH_NAME.test(direct) || /^(?:open|load|save|Path)$/.test(direct) ? direct : null;
  return parameterName(source, position, index);
}

/** `train(sys.argv[1])` and `{"a": f, "b": g}[sys.argv[1]](sys.argv[2])`: the parameter of a function of the same file. */
function parameterName(source: string, position: number, index: string): string | null {
  const line = source.split('\n').find((text) => new RegExp(index).test(text));
  if (line === undefined) return null;
  const parameters: string[] = [];
  for (const match of source.matchAll(/^\s{0,16}def\s+(\w{1,60})\(([^)\n]{0,400})\)/gm)) {
    if (!new RegExp(`\\b${match[1]}\\b`).test(line)) continue;
    const names = match[2]!.split(',').map((part) => /^\s*(\w+)/.exec(part)?.[1] ?? '');
    parameters.push(...names.filter((name) => PATH_NAME.test(name)));
  }
  return parameters[Math.min(position, parameters.length) - 1] ?? parameters[0] ?? null;
}

/** One argument that a program declares with argparse. */
export interface DeclaredArgument {
  flags: string[];
  name: string;
  required: boolean;
  positional: boolean;
  choices: string[];
  typed: boolean;
  takesValue: boolean;
}

/** Arguments that a source declares with `add_argument`, in their order. */
export function declaredArguments(source: string): DeclaredArgument[] {
  return findCalls(source, 'add_argument').flatMap((call) => {
    const flags = call.args.map(literalString).filter((flag): flag is string => flag !== null);
    const first = flags[0];
    if (first === undefined) return [];
    const keyword = (name: string): string | undefined =>
      call.args
        .find((arg) => new RegExp(`^${name}\\s*=`).test(arg))
        ?.replace(/^\w+\s*=\s*/, '')
        .trim();
    const positional = !first.startsWith('-');
    const optional = keyword('default') !== undefined || /^["'][?*]["']$/.test(keyword('nargs') ?? '');
    const action = keyword('action') ?? '';
    return [
      {
        flags,
        name: (flags.find((flag) => flag.startsWith('--')) ?? first).replace(/^-+/, '').replaceAll('-', '_'),
        required: positional ? !optional : keyword('required') === 'True',
        positional,
        choices: [...(keyword('choices') ?? '').matchAll(/["']([^"'\n]{1,60})["']/g)].map((match) => match[1]!),
        typed: /^(?:int|float|bool)$/.test(keyword('type') ?? ''),
        takesValue: !/store_|count|help|version/.test(action),
      },
    ];
  });
}

function repairParsed(source: string, args: string[], reportText: string): ArgumentRepair {
  if (source.includes('add_subparsers(')) return { args, repairs: [], complete: args.length > 0 };
  const declared = declaredArguments(source);
  let given = positionalCount(args, declared);
  const result: ArgumentRepair = { args: [...args], repairs: [], complete: true };
  for (const argument of declared.filter((item) => item.required)) {
    if (argument.positional ? given-- > 0 : argument.flags.some((flag) => args.some((arg) => arg === flag || arg.startsWith(`${flag}=`))))
      continue;
    const value = valueFor(argument, reportText);
    if (value === null) return { args, repairs: [], complete: false };
    result.args.push(...(argument.positional ? [value] : [argument.flags[0]!, value]));
    result.repairs.push(
      `added \`${argument.positional ? '' : `${argument.flags[0]} `}${value}\`: the program requires ${argument.name} and the report leaves it out`,
    );
  }
  return result;
}

function positionalCount(args: string[], declared: DeclaredArgument[]): number {
  let count = 0;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]!;
    if (!word.startsWith('-')) count += 1;
    else if (!word.includes('=') && declared.find((item) => item.flags.includes(word))?.takesValue) at += 1;
  }
  return count;
}

function valueFor(argument: DeclaredArgument, reportText: string): string | null {
  if (argument.choices.length > 0) {
    const lower = reportText.toLowerCase();
    return argument.choices.find((choice) => lower.includes(choice.toLowerCase())) ?? null;
  }
  if (argument.typed || !PATH_NAME.test(argument.name)) return null;
  return FOLDER_NAME.test(argument.name) ? FRESH_FOLDER : FRESH_FILE;
}
