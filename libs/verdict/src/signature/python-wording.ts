/** One fault that CPython words otherwise from version to version. */
interface Rewording {
  /** Wordings of the versions; the first group is what they share. */
  from: RegExp;
  to: string;
  /** What each side looks like, for people; versions in brackets. */
  example: string;
}

/** Wordings of CPython 2.7 to 3.14 (Objects/, Python/ceval.c and errors.c, Lib/traceback.py). Bounded, hence linear. */
export const PYTHON_REWORDINGS: readonly Rewording[] = [
  {
    from: /\b(maximum recursion depth exceeded)(?: (?:in|while) .{1,80})?/g,
    to: '$1',
    example: 'maximum recursion depth exceeded [3.12] … in comparison [3.8]',
  },
  {
    from: /\.? Did you (?:mean|forget to import).{1,120}\?$/gm,
    to: '',
    example: "no attribute 'foward'. Did you mean: 'forward'? [3.10, printed only]",
  },
  { from: /\bglobal (name '[^']{1,200}' is not defined)/g, to: '$1', example: "global name 'x' is not defined [2.7]" },
  {
    from: /'NoneType' object has no attribute '__getitem__'/g,
    to: "'NoneType' object is not subscriptable",
    example: "'NoneType' object has no attribute '__getitem__' [2.7]",
  },
  {
    from: /\b(?:local variable '([^']{1,200})' referenced before assignment|cannot access local variable '([^']{1,200})' where it is not associated with a value)/g,
    to: "local variable '$1$2' without a value",
    example: "local variable 'x' referenced before assignment [3.10], cannot access local variable 'x' where … [3.11]",
  },
  {
    from: /\bcan(?:'t|not) pickle '?([\w.]{1,200}?)'? objects?\b/g,
    to: "cannot pickle '$1' object",
    example: "can't pickle _thread.lock objects [3.7], cannot pickle '_thread.lock' object [3.8]",
  },
  {
    from: /\bcannot use '[^']{1,200}' as a (?:dict key|set element) \((unhashable type: '[^']{1,200}')\)/g,
    to: '$1',
    example: "cannot use 'list' as a dict key (unhashable type: 'list') [3.14]",
  },
  {
    from: /\b(list|tuple) indices must be integers(?: or slices)?, not /g,
    to: '$1 indices must be integers, not ',
    example: 'list indices must be integers, not str [2.7]',
  },
  {
    // A chain of at most eight names, each bounded, so that the scan from any start is short.
    from: /(?<![\w.>])(?:(?:[A-Za-z_]\w{0,60}|<locals>)\.){1,8}([A-Za-z_]\w{0,60})\(\) (?=takes|missing|got|argument)/g,
    to: '$1() ',
    example: 'Net.forward() missing 1 required positional argument [3.10], forward() missing … [3.9]',
  },
  {
    from: /\b(takes) (?:exactly |at least |at most )?(\d{1,3}) (?:positional )?arguments? (?:but \d{1,3} (?:positional arguments? )?(?:\(and \d{1,3} keyword-only arguments?\) )?(?:was|were) given|\(\d{1,3} given\))/g,
    to: '$1 $2 arguments, others given',
    example: 'f() takes exactly 2 arguments (3 given) [2.7], f() takes 2 positional arguments but 3 were given [3]',
  },
  { from: /^(No module named) '?([\w.]{1,200})'?$/gm, to: "$1 '$2'", example: 'No module named net [2.7]' },
  {
    from: /\b(cannot import name) '?(\w{1,200})'?(?: from (?:partially initialized module )?'[^']{1,200}')?(?: \(most likely due to a circular import\))?(?: \([^()\n]{1,400}\))?/g,
    to: "$1 '$2'",
    example: "cannot import name pick [2.7], cannot import name 'pick' from 'net' (/a/net.py) [3.7]",
  },
  {
    from: / \((?:<?[\w./\\ -]{1,200}>?), line \d{1,9}\)$/gm,
    to: '',
    example: 'invalid syntax (feed.py, line 3): the place that str() adds',
  },
];

/** Writes every wording that CPython had for one fault in one way. */
export function unifyWording(message: string): string {
  return PYTHON_REWORDINGS.reduce((text, { from, to }) => text.replaceAll(from, to), message);
}
