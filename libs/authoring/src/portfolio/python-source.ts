/** Where a call stands in a source, and the text between its parentheses. */
export interface SourceCall {
  start: number;
  args: string[];
}

const MAX_CALLS = 200;

/**
 * Calls of a dotted or plain name in Python source, with their arguments split at top-level commas. A small scanner that
 * knows strings, comments and brackets; enough for `add_argument(…)` and `sys.argv`. Linear in the source.
 */
export function findCalls(source: string, name: string): SourceCall[] {
  const calls: SourceCall[] = [];
  let from = 0;
  while (calls.length < MAX_CALLS) {
    const start = source.indexOf(`${name}(`, from);
    if (start === -1) return calls;
    const { args, end } = splitArguments(source, start + name.length + 1);
    calls.push({ start, args });
    from = Math.max(end, start + 1);
  }
  return calls;
}

function splitArguments(source: string, from: number): { args: string[]; end: number } {
  const args: string[] = [];
  let depth = 0;
  let current = '';
  let at = from;
  while (at < source.length) {
    const char = source[at]!;
    if (char === '"' || char === "'") {
      const end = stringEnd(source, at);
      current += source.slice(at, end);
      at = end;
      continue;
    }
    if (char === '#') {
      const end = source.indexOf('\n', at);
      at = end === -1 ? source.length : end;
      continue;
    }
    if ('([{'.includes(char)) depth += 1;
    if (')]}'.includes(char)) depth -= 1;
    if (depth < 0) break;
    if (char === ',' && depth === 0) {
      args.push(current.trim());
      current = '';
    } else current += char;
    at += 1;
  }
  if (current.trim() !== '') args.push(current.trim());
  return { args, end: at };
}

/** Index after the string literal that begins at `at`; triple quotes and escapes are known. */
export function stringEnd(source: string, at: number): number {
  const quote = source[at]!;
  const triple = source.startsWith(quote.repeat(3), at);
  const close = triple ? quote.repeat(3) : quote;
  let index = at + close.length;
  while (index < source.length) {
    if (source[index] === '\\') index += 2;
    else if (source.startsWith(close, index)) return index + close.length;
    else if (!triple && source[index] === '\n') return index;
    else index += 1;
  }
  return source.length;
}

/** Value of a plain string literal, or null for anything else. */
export function literalString(expression: string): string | null {
  const match = /^[rbuRBU]?(["'])([^"'\\\n]{0,500})\1$/.exec(expression.trim());
  return match ? match[2]! : null;
}

/** Names that a module imports at its top, with the first component of each: `import a.b as c` gives `a`. */
export function importedModules(source: string): string[] {
  const names = new Set<string>();
  for (const line of source.split('\n')) {
    const plain = /^\s*import\s+([\w., \t]{1,300})/.exec(line);
    for (const part of plain?.[1]?.split(',') ?? []) {
      const name = /^\s*(\w+)/.exec(part)?.[1];
      if (name) names.add(name);
    }
    const from = /^\s*from\s+(\w+)[\w.]{0,200}\s+import\b/.exec(line)?.[1];
    if (from) names.add(from);
  }
  return [...names];
}

/** True when the file starts something when it is run as a script. */
export function hasMainGuard(source: string): boolean {
  return /^if\s+__name__\s*==\s*["']__main__["']|^if\s+["']__main__["']\s*==\s*__name__/m.test(source);
}
