/** One fault that an interpreter or a library words otherwise from version to version. */
export interface Rewording {
  from: RegExp;
  to: string;
  /** One wording and another one of it; both must come out as the same text. */
  example: readonly [string, string];
}

/**
 * Wordings of CPython 2.7 to 3.14 (Objects/, Python/ceval.c and errors.c, Lib/traceback.py) and of PyTorch 1.4 to 2.9
 * (c10/cuda/CUDACachingAllocator.cpp, torch/csrc/utils/python_arg_parser.cpp, aten/src/ATen/TensorUtils.cpp). All are
 * bounded, hence linear.
 */
export const REWORDINGS: readonly Rewording[] = [
  {
    from: /\b(maximum recursion depth exceeded)(?: (?:in|while) .{1,80})?/g,
    to: '$1',
    example: ['maximum recursion depth exceeded in comparison', 'maximum recursion depth exceeded'],
  },
  {
    from: /\.? Did you (?:mean|forget to import).{1,120}\?$/gm,
    to: '',
    example: ["'Net' object has no attribute 'foward'. Did you mean: 'forward'?", "'Net' object has no attribute 'foward'"],
  },
  {
    from: /\bglobal (name '[^']{1,200}' is not defined)/g,
    to: '$1',
    example: ["global name 'x' is not defined", "name 'x' is not defined"],
  },
  {
    from: /'NoneType' object has no attribute '__getitem__'/g,
    to: "'NoneType' object is not subscriptable",
    example: ["'NoneType' object has no attribute '__getitem__'", "'NoneType' object is not subscriptable"],
  },
  {
    from: /\b(?:local variable '([^']{1,200})' referenced before assignment|cannot access local variable '([^']{1,200})' where it is not associated with a value)/g,
    to: "local variable '$1$2' without a value",
    example: [
      "local variable 'x' referenced before assignment",
      "cannot access local variable 'x' where it is not associated with a value",
    ],
  },
  {
    from: /\bcan(?:'t|not) pickle '?([\w.]{1,200}?)'? objects?\b/g,
    to: "cannot pickle '$1' object",
    example: ["can't pickle _thread.lock objects", "cannot pickle '_thread.lock' object"],
  },
  {
    from: /\bcannot use '[^']{1,200}' as a (?:dict key|set element) \((unhashable type: '[^']{1,200}')\)/g,
    to: '$1',
    example: ["cannot use 'list' as a dict key (unhashable type: 'list')", "unhashable type: 'list'"],
  },
  {
    from: /\b(list|tuple) indices must be integers(?: or slices)?, not /g,
    to: '$1 indices must be integers, not ',
    example: ['list indices must be integers, not str', 'list indices must be integers or slices, not str'],
  },
  {
    // A chain of at most eight names, each bounded, so that the scan from any start is short.
    from: /(?<![\w.>])(?:(?:[A-Za-z_]\w{0,60}|<locals>)\.){1,8}([A-Za-z_]\w{0,60})\(\) (?=takes|missing|got|argument)/g,
    to: '$1() ',
    example: ["Net.forward() missing 1 required positional argument: 'x'", "forward() missing 1 required positional argument: 'x'"],
  },
  {
    from: /\b(takes) (?:exactly |at least |at most )?(\d{1,3}) (?:positional )?arguments? (?:but \d{1,3} (?:positional arguments? )?(?:\(and \d{1,3} keyword-only arguments?\) )?(?:was|were) given|\(\d{1,3} given\))/g,
    to: '$1 $2 arguments, others given',
    example: ['f() takes exactly 2 arguments (3 given)', 'f() takes 2 positional arguments but 3 were given'],
  },
  { from: /\b(No module named) '?([\w.]{0,200}\w)'?/g, to: '$1 $2', example: ['No module named net', "No module named 'net'"] },
  {
    from: /\b(cannot import name) '?(\w{1,200})'?(?: from (?:partially initialized module )?'[^']{1,200}')?(?: \(most likely due to a circular import\))?(?: \([^()\n]{1,400}\))?/g,
    to: "$1 '$2'",
    example: ['cannot import name pick', "cannot import name 'pick' from 'net.feed' (/home/ada/net/feed.py)"],
  },
  {
    from: / \((?:<?[\w./\\ -]{1,200}>?), line \d{1,9}\)$/gm,
    to: '',
    example: ['invalid syntax (feed.py, line 3)', 'invalid syntax'],
  },
  {
    from: /\b(out of memory\. Tried to allocate) [^\n]{1,2000}/gi,
    to: '$1 much',
    example: [
      'CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 7.93 GiB total capacity; 6.89 GiB already allocated)',
      'CUDA out of memory. Tried to allocate 1.5 GiB. GPU 1 has a total capacity of 79.1 GiB of which 3.2 MiB is free.',
    ],
  },
  {
    from: / ?\(when checking (?:the )?arguments? (?:for argument )?[^()\n]{1,200}\)/g,
    to: '',
    example: [
      'found at least two devices, cuda:0 and cpu! (when checking argument for argument mat1 in method wrapper_addmm)',
      'found at least two devices, cuda:0 and cpu!',
    ],
  },
];

/** Writes every wording of one fault in one way. */
export function unifyWording(message: string): string {
  return REWORDINGS.reduce((text, { from, to }) => text.replaceAll(from, to), message);
}
