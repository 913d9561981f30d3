import type { Frame } from '@reenact/domain';

/** Files that are written anew for every run: TensorFlow's autograph, IPython's cells. Their names tell nothing. */
const GENERATED = /__autograph_generated_file\w{1,40}\.py$|ipykernel_\d{1,9}[\\/]\d{1,20}\.py$|^<ipython-input-[\w-]{1,80}>$/;

/** Path components, last first, without drive letters and dots. */
function tailOf(file: string): string[] {
  if (GENERATED.test(file)) return ['<generated>'];
  return file
    .split(/[\\/]+/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .reverse();
}

/** Components that two paths share counted from the file name: a report's paths are another machine's. */
export function sharedTail(left: string, right: string): number {
  const a = tailOf(left);
  const b = tailOf(right);
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared += 1;
  return shared;
}

function lastName(name: string): string {
  return name.split('.').at(-1) ?? name;
}

/** Whether a recorded frame is the claimed one: same file by its tail, and same function where both are named. */
export function sameFrame(claimed: Frame, seen: Frame): boolean {
  if (sharedTail(claimed.file, seen.file) < 1) return false;
  if (claimed.function !== undefined && seen.function !== undefined) return lastName(claimed.function) === lastName(seen.function);
  if (claimed.code !== undefined && seen.code !== undefined) return claimed.code.trim() === seen.code.trim();
  return claimed.line === undefined || seen.line === undefined || claimed.line === seen.line;
}

/** Every failure of a program shares its module-level frames, so they tell nothing while there are others. */
function informative(frames: readonly Frame[]): readonly Frame[] {
  const inner = frames.filter((frame) => frame.function !== '<module>');
  return inner.length > 0 ? inner : frames;
}

/** Frames that both stacks have in one order: longest common subsequence. */
function commonInOrder(claimed: readonly Frame[], seen: readonly Frame[]): number {
  let previous = Array.from({ length: seen.length + 1 }, () => 0);
  for (const frame of claimed) {
    const current = [0];
    for (let column = 1; column <= seen.length; column += 1) {
      const other = seen[column - 1];
      const extended = other && sameFrame(frame, other) ? (previous[column - 1] ?? 0) + 1 : 0;
      current.push(Math.max(extended, previous[column] ?? 0, current[column - 1] ?? 0));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

/** `strong`: all claimed frames, or two in order. `weak`: a single one of several. */
export type FrameMatch = 'unclaimed' | 'strong' | 'weak' | 'none';

/** Compares the frames of a report with recorded ones, both outermost first (verdict.md section 4). */
export function matchFrames(claimed: readonly Frame[], seen: readonly Frame[]): FrameMatch {
  if (claimed.length === 0) return 'unclaimed';
  const wanted = informative(claimed);
  const common = commonInOrder(wanted, seen);
  if (common >= Math.min(2, wanted.length)) return 'strong';
  return common > 0 ? 'weak' : 'none';
}

/** Frames of installed packages and of the interpreter: they are below the program, not of it. */
const INSTALLED = /[\\/](?:site-packages|dist-packages|python3?\.\d+)[\\/]|^<frozen /;

/**
 * Whether a stack has at most half of the claimed calls of the program itself. Then something else than the reported
 * path led to the failing function: its input may be the script's own making.
 */
export function isPartOfStack(claimed: readonly Frame[], seen: readonly Frame[]): boolean {
  const wanted = informative(claimed).filter((frame) => !INSTALLED.test(frame.file));
  return wanted.length > 1 && 2 * commonInOrder(wanted, seen) <= wanted.length;
}

/**
 * Whether a stack goes through a named function: `torch.save` is a frame of function `save` in a file below `torch`.
 * A function written in C has no frame; then the innermost frame's line must call it.
 */
export function goesThrough(name: string, frames: readonly Frame[]): boolean {
  const parts = name.replace(/\(\)$/, '').split('.');
  const own = parts.at(-1) ?? name;
  const qualifier = parts.slice(0, -1);
  const inNamedModule = frames.some((frame) => {
    if (frame.function === undefined || lastName(frame.function) !== own) return false;
    if (qualifier.length === 0) return true;
    const places = [...tailOf(frame.file).map((part) => part.replace(/\.pyi?$/, '')), ...frame.function.split('.')];
    return qualifier.some((part) => places.includes(part));
  });
  return inNamedModule || callsByName(frames.at(-1)?.code ?? '', own);
}

function callsByName(code: string, name: string): boolean {
  const at = code.indexOf(`${name}(`);
  return at === 0 || (at > 0 && !/\w/.test(code[at - 1] ?? ''));
}
