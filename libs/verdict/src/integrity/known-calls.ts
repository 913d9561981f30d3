/** Modules whose functions depend on nothing but their arguments. */
const PURE_MODULES = new Set([
  'math',
  'cmath',
  're',
  'json',
  'itertools',
  'functools',
  'operator',
  'statistics',
  'string',
  'textwrap',
  'collections',
  'decimal',
  'fractions',
  'copy',
  'dataclasses',
  'typing',
  'enum',
  'numbers',
  'bisect',
  'heapq',
  'struct',
  'base64',
  'hashlib',
  'argparse',
  'shlex',
  'pprint',
  'builtins',
]);
/** Paths are texts; asking the disk about them is something else. */
const PURE_CALLS = new Set([
  'os.path.join',
  'os.path.abspath',
  'os.path.dirname',
  'os.path.basename',
  'os.path.realpath',
  'os.path.normpath',
  'os.fspath',
  'pathlib.Path',
  'pathlib.PurePath',
]);
const IMPURE_BUILTINS = new Set([
  'open',
  'input',
  'exec',
  'eval',
  '__import__',
  'id',
  'hash',
  'globals',
  'locals',
  'vars',
  'compile',
  'getattr',
]);

/** Ways to run or load other code. */
const LAUNCHERS = new Set([
  'os.system',
  'os.popen',
  'os.execv',
  'os.execve',
  'os.execvp',
  'os.execl',
  'os.execlp',
  'os.spawnv',
  'os.spawnl',
  'os.spawnve',
  'os.posix_spawn',
  'pty.spawn',
  'pexpect.spawn',
  'asyncio.create_subprocess_exec',
  'asyncio.create_subprocess_shell',
  'runpy.run_path',
  'runpy.run_module',
  'importlib.import_module',
  'importlib.reload',
  'importlib.util.spec_from_file_location',
  'importlib.machinery.SourceFileLoader',
  'builtins.exec',
  'builtins.eval',
  'builtins.__import__',
  'torch.hub.load',
  'pytest.main',
  'unittest.main',
  'torch.distributed.run.main',
]);
const SOURCE_READERS = new Set([
  'inspect.getsource',
  'inspect.getsourcelines',
  'linecache.getline',
  'linecache.getlines',
  'tokenize.open',
  'inspect.getcomments',
]);
/** What they tell of a source file changes with its text: size, times, equality. */
const FILE_EXAMINERS = new Set([
  'os.stat',
  'os.lstat',
  'os.path.getsize',
  'os.path.getmtime',
  'os.path.getctime',
  'filecmp.cmp',
  'filecmp.dircmp',
  'pkgutil.get_data',
  'mmap.mmap',
  'numpy.fromfile',
]);
/** They list what is in a folder: of the subject's, its source files as well. */
const LISTERS = new Set([
  'os.listdir',
  'os.scandir',
  'os.walk',
  'os.fwalk',
  'glob.glob',
  'glob.iglob',
  'shutil.make_archive',
  'zipfile.ZipFile',
  'tarfile.open',
]);
const LISTING_METHODS = new Set(['glob', 'rglob', 'iterdir', 'walk', 'scandir']);
const FILE_OPENERS = new Set(['builtins.open', 'io.open', 'codecs.open', 'os.open', 'io.FileIO', 'zipfile.ZipFile', 'tarfile.open']);

const PRINTERS = new Set([
  'builtins.print',
  'sys.stdout.write',
  'sys.stderr.write',
  'sys.stdout.writelines',
  'sys.stderr.writelines',
  'os.write',
  'sys.__stdout__.write',
  'sys.__stderr__.write',
  'warnings.warn',
  'warnings.warn_explicit',
  'warnings.showwarning',
  'warnings.formatwarning',
  'warnings.WarningMessage',
  'click.echo',
  'rich.print',
  'pprint.pprint',
  'tqdm.write',
]);
const LOG_METHODS = new Set(['debug', 'info', 'warning', 'warn', 'error', 'critical', 'exception', 'log', 'fatal']);
const EXITS = new Set([
  'sys.exit',
  'os._exit',
  'builtins.exit',
  'builtins.quit',
  'os.abort',
  'signal.raise_signal',
  'builtins.SystemExit',
  'ctypes.string_at',
  'ctypes.memset',
  'ctypes.memmove',
  'faulthandler._sigsegv',
  'faulthandler._sigabrt',
  'faulthandler._sigfpe',
]);

/** What a called name, made canonical by the script's imports, is known to do. */
export type CallKind = 'pure' | 'launches' | 'reads-source' | 'examines' | 'opens' | 'prints' | 'exits' | 'other';

/** @param name such as `numpy.mean` or `builtins.print` */
export function callKind(name: string): CallKind {
  if (PRINTERS.has(name)) return 'prints';
  if (EXITS.has(name)) return 'exits';
  if (SOURCE_READERS.has(name) || name.startsWith('dis.')) return 'reads-source';
  if (FILE_EXAMINERS.has(name)) return 'examines';
  if (LAUNCHERS.has(name) || name.startsWith('subprocess.')) return 'launches';
  if (FILE_OPENERS.has(name)) return 'opens';
  if (name.startsWith('logging.') && LOG_METHODS.has(name.slice(8))) return 'prints';
  const [module = '', member = ''] = [name.slice(0, name.indexOf('.')), name.slice(name.indexOf('.') + 1)];
  if (module === 'builtins') return IMPURE_BUILTINS.has(member) ? 'other' : 'pure';
  return PURE_MODULES.has(module) || PURE_CALLS.has(name) ? 'pure' : 'other';
}

/** Whether a call gives the entries of a folder. */
export function listsFolder(name: string | null, method: string): boolean {
  return name === null ? LISTING_METHODS.has(method) : LISTERS.has(name);
}

/** Method names by which a logger or a stream emits text. */
export function isEmittingMethod(object: string, method: string): boolean {
  return (LOG_METHODS.has(method) && /log/i.test(object)) || (method === 'write' && /std(?:out|err)/.test(object));
}
