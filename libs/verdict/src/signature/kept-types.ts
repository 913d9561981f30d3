const DEVICES = 'cuda|cpu|sparse|quantized|xpu|mps|xla|hip|npu|meta';
const ELEMENT =
  '(?:BFloat16|Float16|Float8_e\\w{1,10}|Float|Double|Half|Long|Int|Short|Byte|Char|Bool|ComplexFloat|ComplexDouble|ComplexHalf|QU?Int\\d{1,2})';

/** Type words of PyTorch, NumPy, JAX, TensorFlow, XLA and C, with the device kind that stands in the name of a tensor type. */
const TYPE_NAME = new RegExp(
  `\\b(?:(?:torch|np|numpy|tf|jnp|jax\\.numpy)\\.)?(` +
    [
      `(?:(?:${DEVICES})\\.){0,2}${ELEMENT}Tensor`,
      `(?:CPU|CUDA|MPS|XLA|Sparse|Quantized){1,3}${ELEMENT}Type`,
      ELEMENT,
      'bfloat16|float(?:8\\w{0,12}|16|32|64|128|_)?|q?u?int(?:2|4|8|16|32|64|_)?|quint4x2|complex(?:32|64|128|256|_)?',
      'bool_?|double|half|long|short|byte|char|(?:object|str|bytes)_',
      'DT_[A-Z][A-Z0-9_]{0,20}',
      'bf16|fp(?:4|8|16|32|64)|tf32|f(?:16|32|64|8e\\w{1,12})|[siu](?:4|8|16|32|64)|c(?:64|128)|pred(?=<rank )',
    ].join('|') +
    `)\\b`,
  'g',
);

/** `<f4`, `dtype('>i8')`, `'|S5'`: the array protocol's type strings (NumPy, "The array interface protocol"). */
const TYPE_STRING = /(?<![\w<>])(?:([<>])|(?<=['"])([|=]))([biufcmMSUVO]\d{1,4})\b/g;
const ORDERS: Record<string, string> = { '<': 'little-', '>': 'big-', '|': '', '=': '' };
const OTHER_DTYPE = /\b(dtype(?:\(['"]|\s?[=:]\s?['"]?|\s['"]?))(object|string|str|O)\b/g;
/** `tensor<2x?xf32>` of MLIR. */
const MLIR_TENSOR = /\btensor<((?:(?:\d{1,9}|\?)x){0,64})([a-z]\w{0,15})>/g;
const PLACE = /(?<!<)\b(backend|device type|device)(:?\s{1,3}'?|='?)(cpu|cuda|xpu|mps|xla|hip|npu|meta)\b/gi;

/** A number written so that the mask for numbers leaves it alone. */
export function wordForNumber(number: string): string {
  return number.replaceAll(/[0-9]/g, (digit) => String.fromCharCode(97 + Number(digit))).replace('-', 'minus-');
}

/** Whether a text has a type word: such a list is one of types and no shape. */
export function namesType(text: string): boolean {
  return text.search(TYPE_NAME) >= 0;
}

/** Type strings with a byte order and tensor types in angle brackets: to be marked before anything else writes brackets. */
export function markBracketedTypes(text: string): string {
  return text
    .replaceAll(TYPE_STRING, (_match, order: string | undefined, padding: string | undefined, code: string) => {
      return `<dtype ${ORDERS[order ?? padding ?? '=']}${wordForNumber(code)}>`;
    })
    .replaceAll(MLIR_TENSOR, (_match, sizes: string, type: string) => {
      return `<rank ${wordForNumber(String(sizes.split('x').length - 1))}> <dtype ${wordForNumber(type)}>`;
    });
}

/** Marks every other type word and the device kinds of backends: another one is another fault. */
export function markTypes(text: string): string {
  return text
    .replaceAll(TYPE_NAME, (match: string, type: string, at: number, whole: string) => {
      return whole.slice(Math.max(0, at - 7), at) === '<dtype ' ? match : `<dtype ${wordForNumber(type)}>`;
    })
    .replaceAll(OTHER_DTYPE, (_match, before: string, type: string) => `${before}<dtype ${type}>`)
    .replaceAll(PLACE, (_match, before: string, gap: string, place: string) => `${before}${gap}<device ${place.toLowerCase()}>`);
}
