import { wordForNumber } from './kept-types.js';

/** One kind of text that differs from run to run of one fault, or that must not be taken for one that does. */
export interface Mask {
  name: string;
  /** Global; bounded or without nested repetition, so that its time is linear in the text. */
  pattern: RegExp;
  put: string | ((match: string, ...groups: string[]) => string);
  /** A text and what the whole table makes of it. */
  example: readonly [text: string, masked: string];
}

const NAME = String.raw`[\w.\-+@~]{1,255}`;
const DEVICE_KINDS = 'cuda|cpu|xpu|mps|xla|hip|npu|meta|gpu|tpu';

/** What names a run, a machine or a moment. In this order: what comes first takes its text away from what follows. */
export const RUN_MASKS: readonly Mask[] = [
  {
    name: 'UUID (RFC 9562)',
    pattern: /\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b/g,
    put: '<hash>',
    example: ['GPU-6ba7b810-9dad-11d1-80b4-00c04fd430c8 is lost', 'GPU-<hash> is lost'],
  },
  { name: 'address', pattern: /\b0x[0-9a-fA-F]+\b/g, put: '<address>', example: ['<Net object at 0x7f3a2b>', '<Net object at <address>>'] },
  {
    name: 'peer address',
    pattern: /\[?\b\d{1,3}(?:\.\d{1,3}){3}\b\]?(?::\d{1,5}\b)?/g,
    put: '<peer>',
    example: ['closed by peer [127.0.0.1]:22164', 'closed by peer <peer>'],
  },
  {
    name: 'date and time',
    pattern: /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?/g,
    put: '<time>',
    example: ['at 2024-05-01 10:11:12.5', 'at <time>'],
  },
  { name: 'time of day', pattern: /\b\d{1,2}:\d\d:\d\d\b/g, put: '<time>', example: ['after 10:11:12', 'after <time>'] },
  {
    name: 'installed file: its path below the packages stays',
    pattern: new RegExp(
      String.raw`(?<![\w.\-+@~/\\])(?:[A-Za-z]:)?(?:[\\/]{1,2}${NAME})*[\\/]{1,2}(?:(?:site|dist)-packages|python\d(?:\.\d{1,2})?)[\\/]{1,2}((?:${NAME}[\\/]{1,2})*${NAME})(?::\d{1,9}\b)?`,
      'g',
    ),
    put: (_match, inner) => `<module ${inner.replaceAll(/\\{1,2}/g, '/').replaceAll(/\d/g, '')}>`,
    example: ['(/env/lib/python3.11/site-packages/torch/nn/init.py:3)', '(<module torch/nn/init.py>)'],
  },
  {
    name: 'path, of Windows as well',
    pattern: new RegExp(String.raw`(?<![\w.\-+@~/\\])(?:[A-Za-z]:|\.{1,2}|~)?[\\/]{1,2}${NAME}(?:[\\/]{1,2}${NAME})+(?::\d{1,9}\b)?`, 'g'),
    put: '<path>',
    example: ['[./gloo/tcp/pair.cc:598] C:\\Users\\ada\\x.pt', '[<path>] <path>'],
  },
  {
    name: 'generated name',
    pattern: /\b(?:tmp(?=[a-z0-9_]{0,7}[0-9_])[a-z0-9_]{8}|__autograph_generated_file\w{1,40}|ipykernel_\d{1,9})\b/g,
    put: '<generated>',
    example: ['in __autograph_generated_filea7876t2p and tmpab12cd_x', 'in <generated> and <generated>'],
  },
  {
    name: 'hash',
    pattern: /\b(?:(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,128}|(?=[0-9A-F]*\d)(?=[0-9A-F]*[A-F])[0-9A-F]{8,128})\b/g,
    put: '<hash>',
    example: ['commit 3f2a9c1b4d5e6f70', 'commit <hash>'],
  },
  {
    name: 'size in bytes',
    pattern: /\b\d+(?:\.\d*)? ?(?:[KMGT]i?B|bytes|B)\b/g,
    put: '<size>',
    example: ['tried 20.00 MiB, have 512 bytes', 'tried <size>, have <size>'],
  },
  {
    name: 'duration',
    pattern: /\b\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s|secs?|seconds?|mins?|minutes?|h|hours?)\b(?!\/)/g,
    put: '<duration>',
    example: ['waiting 5000ms, then 1.5 s', 'waiting <duration>, then <duration>'],
  },
  {
    name: 'ordinal of a device: its kind stays',
    pattern: new RegExp(String.raw`\b(${DEVICE_KINDS}):\d{1,4}\b`, 'gi'),
    put: (_match, kind) => `<device ${kind.toLowerCase()}>`,
    example: ['found cuda:3 and cpu', 'found <device cuda> and cpu'],
  },
];

/** Numbers, when shapes, ranks and types have been marked. */
export const NUMBER_MASKS: readonly Mask[] = [
  {
    // `log2`, `sm_80` and `l1_loss` are names as they are.
    name: 'number in a name',
    pattern: /(?<=[A-Za-z]{2}|_)(?<!\b(?:log|exp|atan|arctan|sm_|compute_))\d+(?=[^\w<]|$|(?<=_\d{1,9})_)/g,
    put: '<n>',
    example: ['layer12.weight of block_3_conv, log2', 'layer<n>.weight of block_<n>_conv, log2'],
  },
  {
    name: 'number',
    pattern: /[-+]?(?<!\w)\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?/g,
    put: '<n>',
    example: ['loss -1.5e-03 at 12 %, step 1000', 'loss <n> at <n> %, step <n>'],
  },
];

/** Forms in which a rank is told beside a list of sizes. */
export const RANK_MASKS: readonly Mask[] = [
  {
    name: 'sizes with crosses',
    pattern: /(?:\?|\b\d{1,9})(?:[xX×](?:\?|\d{1,9}))+(?![\w?])/g,
    put: (shape) => `<rank ${wordForNumber(String(shape.split(/[xX×]/).length))}>`,
    example: ['shapes (32x10)', 'shapes (<rank c>)'],
  },
  {
    name: 'rank by its number, also in the name of an operator',
    pattern: /(?<![\d_.])(\d)(?:-?[dD](?![A-Za-z0-9])|-dim\w{0,12})/g,
    put: (_match, rank) => `<rank ${wordForNumber(rank)}>`,
    example: ['conv2d got 4-dimensional input', 'conv<rank c> got <rank e> input'],
  },
];

/** Puts the masks of a table over a text, one after the other. */
export function putMasks(text: string, masks: readonly Mask[]): string {
  return masks.reduce(
    (masked, { pattern, put }) => (typeof put === 'string' ? masked.replaceAll(pattern, put) : masked.replaceAll(pattern, put)),
    text,
  );
}
