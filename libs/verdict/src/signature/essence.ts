import { isMarkText, withoutColours } from './mark-text.js';

/**
 * What a message says when wrappers, notes for people and quoted stacks are left out. Libraries pass one fault on under
 * headings that differ from version to version; the fault is told below them.
 */
export interface Essence {
  /** The first line that tells the fault. */
  head: string;
  /** Further lines that tell of it. */
  rest: string[];
}

const MOST_LINES = 200;

/** Headings that say only where an error came up; what came up follows. */
const WRAPPERS: readonly RegExp[] = [
  // Keras 2 and 3, src/utils/traceback_utils.py.
  /^Exception encountered when calling (?:layer .{1,200}|[\w.]{1,200}\(\))\.?$/,
  /^(?:Could not automatically infer the output shape|Error encountered:)/,
  // TensorFlow, autograph/impl/api.py and python/framework/errors_impl.py.
  /^in user code:$/,
  /^Graph execution error:$/,
  /^Detected at node .{1,400}$/,
  // PyTorch, torch/_utils.py (ExceptionWrapper) and torch/multiprocessing/spawn.py.
  /^Caught \w{1,100} in .{1,200}\.$/,
  /^-- Process \d{1,9} terminated with the following error:$/,
];
/** After these only arguments and advice follow. */
const TAIL =
  /^(?:Call arguments received by|Arguments received by|The stack trace below excludes JAX|For simplicity, JAX has removed|Compile with `?TORCH_USE_CUDA_DSA|For debugging consider passing CUDA_LAUNCH_BLOCKING|CUDA kernel errors might be|Set TORCH_LOGS=|You can suppress this exception|Exception raised from .{1,300} \(most recent call first\):)/;
const STACK_LINE = /^(?:File "[^"]{1,500}", line \d{1,9}|(?:Original )?Traceback \(most recent call last\):|frame #\d{1,4}: |@ {4,})/;
/** A line that a quoted stack ends with: the error itself. */
const QUOTED_ERROR = /^(?:[A-Za-z_]\w{0,80}\.){0,8}[A-Z]\w{0,80}(?:Error|Exception|Interrupt|Timeout|Warning): (\S.{0,4000})$/;

function plainLines(message: string): string[] {
  return withoutColours(message)
    .split('\n', MOST_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !isMarkText(line));
}

/** The lines below a quoted stack, from its last error on; all lines where none is quoted. */
function belowStack(lines: readonly string[]): string[] {
  const isStack = lines.some((line) => STACK_LINE.test(line));
  if (!isStack) return [...lines];
  const at = lines.findLastIndex((line) => QUOTED_ERROR.test(line));
  const error = at < 0 ? null : QUOTED_ERROR.exec(lines[at] ?? '');
  if (error !== null) return [error[1] ?? '', ...lines.slice(at + 1)];
  // The stack of a graph's node: what follows the last frame tells.
  const last = lines.findLastIndex((line) => STACK_LINE.test(line));
  const below = lines.slice(last + 1);
  return below.length > 0 ? below : lines.filter((line) => !STACK_LINE.test(line));
}

/** Takes a message apart. Never empty where the message is not: at least its first line is kept. */
export function essenceOf(message: string): Essence {
  const all = plainLines(message);
  const first = all[0] ?? '';
  const isWrapped = WRAPPERS.some((pattern) => pattern.test(first));
  const end = all.findIndex((line, index) => index > 0 && TAIL.test(line));
  const told = end < 0 ? all : all.slice(0, end);
  const inner = isWrapped ? belowStack(told).filter((line) => !WRAPPERS.some((pattern) => pattern.test(line))) : told;
  const [head = first, ...rest] = inner;
  return { head, rest: rest.filter((line) => !STACK_LINE.test(line)) };
}

/** Whether a line only announces what the next ones tell: `Error(s) in loading state_dict for Net:`. */
export function announces(line: string): boolean {
  return line.endsWith(':');
}
