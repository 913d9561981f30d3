/** Commands of setup.py that build, install or describe a distribution (setuptools, "Running setuptools commands"). */
const SETUP_COMMANDS =
  /^(?:build|build_ext|build_py|build_clib|build_scripts|install|develop|egg_info|dist_info|sdist|bdist|bdist_wheel|bdist_egg|editable_wheel)$/;
/** Programs that build a project of their own accord, with the subcommands that do so; empty = the program itself. */
const BUILDERS: Record<string, readonly string[]> = {
  pip: ['install', 'wheel', 'download'],
  uv: ['build', 'sync', 'pip'],
  poetry: ['build', 'install'],
  hatch: ['build'],
  flit: ['build', 'install'],
  pdm: ['build', 'install'],
  maturin: ['build', 'develop'],
  build: [],
  make: [],
  ninja: [],
  cmake: [],
};
/** Options that take the next word, so that it is no subcommand. */
const INTERPRETER_VALUES = new Set(['-W', '-X', '--check-hash-based-pycs']);

function programName(word: string): string {
  return (word.split('/').at(-1) ?? word).replace(/(?<=^(?:python|pip))\d[\d.]*$/, '');
}

/** The words after the interpreter and its options: `-m module …` or `file …`. */
function afterInterpreter(argv: readonly string[]): string[] {
  let at = 1;
  while (at < argv.length && argv[at]?.startsWith('-') && argv[at] !== '-m' && argv[at] !== '-c') {
    at += INTERPRETER_VALUES.has(argv[at] ?? '') ? 2 : 1;
  }
  return argv.slice(at);
}

/** A setup.py of the working directory, which is the subject's copy; one of the script's folder or of elsewhere is anybody's. */
function isOwnSetup(file: string): boolean {
  return /^(?:\.\/)?setup\.py$/.test(file);
}

function isBuilder(program: string, rest: readonly string[]): boolean {
  const commands = Object.hasOwn(BUILDERS, program) ? BUILDERS[program] : undefined;
  if (commands === undefined) return false;
  const first = rest.find((word) => !word.startsWith('-'));
  return commands.length === 0 || (first !== undefined && commands.includes(first));
}

/**
 * Whether a command builds or installs something: `setup.py` of the project with a building command, pip, uv, build and
 * their like, by name or as `python -m`.
 * @param argv words of the command, the program first
 */
export function isBuildCommand(argv: readonly string[]): boolean {
  const [program = '', ...rest] = argv;
  if (programName(program) !== 'python') return isBuilder(programName(program), rest);
  const [first = '', ...words] = afterInterpreter(argv);
  if (first === '-m') return isBuilder(words[0] ?? '', words.slice(1));
  return isOwnSetup(first) && words.some((word) => SETUP_COMMANDS.test(word));
}

/** Whether a build command is about a distribution: it names it, or it builds the project in the working directory. */
export function buildsDistribution(argv: readonly string[], distribution: string): boolean {
  const normal = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');
  const names = argv.slice(1).map((word) => normal(/^[\w.-]+/.exec(word)?.[0] ?? ''));
  const isLocal = argv.some((word) => word === '.' || word === './' || /^\.\[[\w,-]+\]$/.test(word) || isOwnSetup(word));
  return isLocal || names.includes(normal(distribution));
}
