/** Marks that models put around thoughts which are no part of the answer. */
const MARKS: [string, string][] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<reasoning>', '</reasoning>'],
  ['<|channel|>analysis', '<|end|>'],
];

/**
 * Takes reasoning blocks out of an answer, also one whose opening mark the server swallowed (only `</think>` is there) and
 * one that was cut before it closed. Linear in the text.
 */
export function stripReasoning(text: string): string {
  let out = text;
  for (const [open, close] of MARKS) out = stripPair(out, open, close);
  return out.trim();
}

function stripPair(text: string, open: string, close: string): string {
  const firstOpen = text.indexOf(open);
  const firstClose = text.indexOf(close);
  let rest = text;
  // A lone closing mark ends thoughts whose opening mark was part of the prompt template; inside JSON it is data.
  if (firstClose !== -1 && (firstOpen === -1 || firstClose < firstOpen) && !/^\s*[{[]/.test(text))
    rest = text.slice(firstClose + close.length);
  if (/^\s*[{[]/.test(rest)) return rest;
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = rest.indexOf(open, at);
    if (start === -1) break;
    parts.push(rest.slice(at, start));
    const end = rest.indexOf(close, start + open.length);
    if (end === -1) return parts.join('');
    at = end + close.length;
  }
  parts.push(rest.slice(at));
  return parts.join('');
}
