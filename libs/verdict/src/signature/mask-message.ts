/**
 * What two messages of one fault share. Numbers, addresses, paths, hashes and times differ from run to run; ranks of
 * tensors and dtypes do not, and two messages that differ there are two faults (verdict.md section 4).
 */
export interface MaskedMessage {
  text: string;
  /** Ranks, index ranges and dtypes in their order; equal in two messages of one fault. */
  kept: string[];
}

const MESSAGE_LIMIT = 8_192;
const DTYPE =
  /\b(?:torch\.|np\.|numpy\.|tf\.|jnp\.)?(?:cuda\.|cpu\.)?(bfloat16|float16|float32|float64|float8\w{0,12}|u?int(?:8|16|32|64)|complex(?:32|64|128)|BFloat16|Half|Float|Double|Long|Int|Short|Byte|Char|Bool|(?:Float|Double|Half|Long|Int|Byte|Bool|BFloat16)Tensor)\b/g;

/** `[64, 784]` is a rank-2 shape whatever its sizes; `[-1, 0]` is a range of axes and stays as it is. */
function maskList(list: string): string {
  const items = list.slice(1, -1).split(',');
  const numbers = items.map((item) => item.trim()).filter((item) => item !== '');
  if (numbers.some((item) => item.startsWith('-'))) return `<range ${numbers.map(wordForNumber).join(' ')}>`;
  return `<rank ${wordForNumber(String(numbers.length))}>`;
}

/** A number written so that the mask for numbers leaves it alone. */
function wordForNumber(number: string): string {
  return number.replaceAll(/[0-9]/g, (digit) => String.fromCharCode(97 + Number(digit))).replace('-', 'minus-');
}

/** Masks one message. Linear in its length, which is cut at 8192 characters. */
export function maskMessage(message: string): MaskedMessage {
  const text = message
    .slice(0, MESSAGE_LIMIT)
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\b0x[0-9a-fA-F]+\b/g, '<address>')
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?/g, '<time>')
    .replaceAll(/\b\d{1,2}:\d\d:\d\d\b/g, '<time>')
    .replaceAll(/(?<![\w.])(?:[A-Za-z]:)?[\\/][\w.\-+@~]+(?:[\\/][\w.\-+@~]+)+/g, '<path>')
    .replaceAll(/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,64}\b/g, '<hash>')
    .replaceAll(/[[(]\s{0,4}-?\d{1,9}(?:\s{0,4},\s{0,4}-?\d{1,9}){0,12}\s{0,4},?\s{0,4}[\])]/g, maskList)
    .replaceAll(/\b\d{1,9}(?:[xX×]\d{1,9})+\b/g, (shape) => `<rank ${wordForNumber(String(shape.split(/[xX×]/).length))}>`)
    .replaceAll(/\b(\d)(-?[dD]\b|-dim\w{0,12})/g, (_match, rank: string) => `<rank ${wordForNumber(rank)}>`)
    .replaceAll(DTYPE, (_match, dtype: string) => `<dtype ${wordForNumber(dtype)}>`)
    .replaceAll(/[-+]?(?<![A-Za-z_])\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?/g, '<n>')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return { text, kept: text.match(/<(?:rank|range|dtype) [^<>]{1,80}>/g) ?? [] };
}

/** The masked text in lower case and with quotes of one kind, as it is compared. */
export function comparableMessage(message: string): MaskedMessage {
  const masked = maskMessage(message);
  return { text: masked.text.replaceAll(/[`‘’“”"]/g, "'").toLowerCase(), kept: masked.kept };
}
