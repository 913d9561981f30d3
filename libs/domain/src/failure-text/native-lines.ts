/** What one line of native code's last words tells. */
export interface NativeLine {
  /** Signal that such a line goes with, such as `SIGABRT`. */
  signal: string;
  /** The words that tell this failure from others; empty for a mere name of a signal. */
  message: string;
  /** Type of a C++ exception. */
  type?: string;
}

/** How kernels, shells and fault handlers name signals that end a program by a fault of its own (signal(7), strsignal(3)). */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'segmentation fault': 'SIGSEGV',
    'segmentation violation': 'SIGSEGV',
    aborted: 'SIGABRT',
    abort: 'SIGABRT',
    'bus error': 'SIGBUS',
    'floating point exception': 'SIGFPE',
    'floating-point exception': 'SIGFPE',
    'illegal instruction': 'SIGILL',
    'trace/breakpoint trap': 'SIGTRAP',
    // As kill(1) numbers them.
    4: 'SIGILL',
    5: 'SIGTRAP',
    6: 'SIGABRT',
    7: 'SIGBUS',
    8: 'SIGFPE',
    11: 'SIGSEGV',
  }),
);

/** The signal behind a name or number of it, null for all that do not come from a program's own fault. */
export function faultSignal(word: string): string | null {
  const plain = word.trim().toLowerCase();
  const named = NAMES.get(plain);
  if (named !== undefined) return named;
  const upper = plain.toUpperCase();
  return [...NAMES.values()].includes(upper) ? upper : null;
}

interface Form {
  pattern: RegExp;
  read: (groups: readonly string[]) => NativeLine | null;
}

const aborted = (message: string): NativeLine => ({ signal: 'SIGABRT', message });
const named = (word: string): NativeLine | null => {
  const signal = faultSignal(word);
  return signal === null ? null : { signal, message: '' };
};

/** Every form with its source. All patterns are anchored at the start and bounded, so that each line costs linear time. */
const FORMS: readonly Form[] = [
  // glibc, malloc/malloc.c (malloc_printerr) and debug/fortify_fail.c; up to 2.25 with `*** Error in `python': … ***`.
  {
    pattern:
      /^(?:\*{3} Error in [`'][^'`]{1,300}': )?((?:free|malloc|realloc|calloc|memalign|munmap_chunk|mremap_chunk|malloc_consolidate|malloc_check_get_size)\(\): \w[^:]{2,80}|double free or corruption(?: \([!\w]{1,20}\))?|corrupted (?:size vs\. prev_size|double-linked list|unsorted chunks)[^:]{0,60}|invalid fastbin entry \(free\))(?:: 0x[0-9a-fA-F]{1,16} \*{3})?$/,
    read: ([message = '']) => aborted(message.trim()),
  },
  {
    pattern:
      /^\*{3} ((?:stack smashing|buffer overflow|invalid %N\$ use|bit out of range 0 - FD_SETSIZE on fd_set) detected|\w[^*]{3,60} detected) \*{3}(?::.{0,300})?$/,
    read: ([message = '']) => aborted(message),
  },
  // libstdc++, libsupc++/vterminate.cc; libc++abi, src/cxa_default_handlers.cpp.
  {
    pattern: /^terminate called after throwing an instance of '([^']{1,300})'$/,
    read: ([type = '']) => ({ signal: 'SIGABRT', message: '', type }),
  },
  { pattern: /^(terminate called (?:without an active exception|recursively))$/, read: ([message = '']) => aborted(message) },
  {
    pattern:
      /^libc\+\+abi(?:\.dylib)?: terminating (?:due to|with) uncaught exception of type ([^\s:]{1,200}(?:::[^\s:]{1,200}){0,8})(?:: (.{0,2000}))?$/,
    read: ([type = '', message = '']) => ({ signal: 'SIGABRT', message, type }),
  },
  // assert(3): `program: file:line: function: Assertion `…' failed.`; lines of a device name their block and thread and end nothing.
  {
    pattern: /^(?:[^\s:]{1,200}: )?([^\s:]{1,300}):\d{1,7}: (?:(.{1,400}): )?Assertion [`'](.{1,400})' failed\.?$/,
    read: ([file = '', place = '', assertion = '']) =>
      /\bblock: \[/.test(place) ? null : aborted(`Assertion '${assertion}' failed in ${file.split(/[\\/]/).at(-1) ?? file}`),
  },
  // absl/log and tsl/platform/default/logging.cc: level F ends the program; glog and c10 write the same.
  {
    pattern:
      /^(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})?: F|F\d{4} [\d:.]{1,24} {1,8}\d{1,10}|\[?F(?: [\d:. -]{1,40})?) ([\w./+-]{1,300}):\d{1,7}\] (\S.{0,2000})$/,
    read: ([, message = '']) => aborted(message.trim()),
  },
  // Open MPI, opal/util/stacktrace.c; UCX, ucs/debug/debug.c; absl, debugging/failure_signal_handler.cc.
  { pattern: /^\[[^\s\]]{1,200}:\d{1,10}\] Signal: ([\w /-]{3,40}) \(\d{1,3}\)$/, read: ([word = '']) => named(word) },
  { pattern: /^(?:\[[^\]]{1,200}\] )?Caught signal \d{1,3} \(([\w /-]{3,40})[:)].{0,300}$/, read: ([word = '']) => named(word) },
  { pattern: /^\*{3} (SIG[A-Z]{3,6}) .{0,40}?received (?:at|by) .{0,200}$/, read: ([word = '']) => named(word) },
  // Shells, IDEs and launchers.
  {
    pattern:
      /^(?:[^\s:]{1,200}: line \d{1,7}: +\d{1,10} +)?(Segmentation fault|Aborted|Bus error|Floating point exception|Illegal instruction|Trace\/breakpoint trap)(?: \(core dumped\))?(?: {2,}.{0,400})?$/,
    read: ([word = '']) => named(word),
  },
  {
    pattern: /^Process finished with exit code \d{1,10} \(interrupted by signal (\d{1,3}):? ?\w{0,20}\)$/,
    read: ([number = '']) => named(number),
  },
  {
    pattern: /^(?:[A-Za-z_][\w.]{0,120}: )?process \d{1,9} terminated with signal (SIG\w{1,10})$/,
    read: ([word = '']) => named(word),
  },
  { pattern: /^traceback +: Signal (\d{1,3}) \(SIG\w{1,10}\) received by PID \d{1,10}$/, read: ([number = '']) => named(number) },
];

/** Reads one line, at most 4,000 characters of it; null where it is no native failure's. */
export function readNativeLine(line: string): NativeLine | null {
  const text = line.slice(0, 4_000).trim();
  for (const { pattern, read } of FORMS) {
    const match = pattern.exec(text);
    if (match !== null) return read(match.slice(1));
  }
  return null;
}
