/** One simple command of a shell text, as words; nothing of it is ever handed to a shell. */
export interface ShellCommand {
  /** Assignments before the command and exports of earlier commands. */
  env: Record<string, string>;
  words: string[];
  /** Folder that earlier `cd` commands lead to, relative, `.` at first; null where they lead outside or cannot be known. */
  directory: string | null;
}

type Token = { kind: 'word'; text: string } | { kind: 'operator'; text: string };

interface Scan {
  text: string;
  at: number;
}

const OPERATORS = ['&&', '||', ';;', '|&', ';', '|', '\n', '&', '(', ')'];
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;
/** Longest loop that is unrolled, and the longest text that is read at all. */
const MAX_LOOP = 20;
/** Runs that a loop without an end stands for, as "several times" does in prose. */
const ENDLESS_LOOP = ['1', '2', '3', '4', '5'];
const MAX_TEXT = 20_000;

/**
 * Splits shell text into simple commands: quotes, escapes, comments, line continuations, `&&`, `;`, redirections, `cd`,
 * `export` and counted `for` loops are understood. What comes after a pipe is left out. Words keep `$NAME` and `$(…)` as
 * they stand. Never throws; time is linear in the text.
 */
export function splitCommands(text: string): ShellCommand[] {
  // A backslash in `.\\train.py` is a path separator of another system, not an escape.
  const groups = groupTokens(tokenize(text.slice(0, MAX_TEXT).replace(/(^|\s)\.\\(?=\w)/g, '$1./')));
  const state = { env: {} as Record<string, string>, directory: '.' as string | null };
  const commands: ShellCommand[] = [];
  for (const words of unrollLoops(groups)) {
    const command = readCommand(words, state);
    if (command) commands.push(command);
  }
  return commands;
}

function readCommand(words: string[], state: { env: Record<string, string>; directory: string | null }): ShellCommand | null {
  const env: Record<string, string> = {};
  let first = 0;
  while (first < words.length) {
    const match = ASSIGNMENT.exec(words[first]!);
    if (!match) break;
    env[match[1]!] = match[2]!;
    first += 1;
  }
  const rest = words.slice(first);
  if (rest.length === 0) {
    Object.assign(state.env, env);
    return null;
  }
  if (rest[0] === 'cd') {
    state.directory = joinDirectory(state.directory, rest[1] ?? '~');
    return null;
  }
  if (rest[0] === 'export' || rest[0] === 'set' || rest[0] === 'SET') {
    for (const word of rest.slice(1)) {
      const match = ASSIGNMENT.exec(word);
      if (match) state.env[match[1]!] = match[2]!;
    }
    return null;
  }
  return { env: { ...state.env, ...env }, words: rest, directory: state.directory };
}

function joinDirectory(from: string | null, to: string): string | null {
  if (from === null || to.startsWith('/') || to.startsWith('~') || to.includes('$')) return null;
  const parts = from === '.' ? [] : from.split('/');
  for (const part of to.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (parts.length === 0) return null;
      parts.pop();
    } else parts.push(part);
  }
  return parts.length === 0 ? '.' : parts.join('/');
}

function groupTokens(tokens: Token[]): string[][] {
  const groups: string[][] = [[]];
  let piped = false;
  for (const token of tokens) {
    if (token.kind === 'operator') {
      piped = token.text.startsWith('|') && token.text !== '||';
      groups.push([]);
    } else if (!piped) groups.at(-1)!.push(token.text);
  }
  return groups.filter((group) => group.length > 0);
}

function unrollLoops(groups: string[][]): string[][] {
  const out: string[][] = [];
  for (let at = 0; at < groups.length; at += 1) {
    const group = groups[at]!;
    const endless = group[0] === 'while' || group[0] === 'until';
    if (!endless && (group[0] !== 'for' || group[2] !== 'in')) {
      out.push(group);
      continue;
    }
    const end = groups.findIndex((other, index) => index > at && other[0] === 'done');
    const body = groups.slice(at + 1, end === -1 ? groups.length : end).map((words) => (words[0] === 'do' ? words.slice(1) : words));
    for (const value of endless ? ENDLESS_LOOP : loopValues(group.slice(3))) {
      for (const words of body)
        out.push(endless ? words : words.map((word) => word.replaceAll(`\${${group[1]}}`, value).replaceAll(`$${group[1]}`, value)));
    }
    at = end === -1 ? groups.length : end;
  }
  return out.filter((words) => words.length > 0);
}

function loopValues(words: string[]): string[] {
  const values = words.flatMap((word) => {
    const range = /^\{(\d{1,4})\.\.(\d{1,4})\}$/.exec(word) ?? /^(?:\$\(|`)seq (?:(\d{1,4}) )?(\d{1,4})(?:\)|`)$/.exec(word);
    if (!range) return [word];
    const from = Number(range[1] ?? '1');
    const count = Math.max(0, Math.min(MAX_LOOP, Number(range[2]) - from + 1));
    return Array.from({ length: count }, (_, index) => String(from + index));
  });
  return values.slice(0, MAX_LOOP);
}

function tokenize(text: string): Token[] {
  const scan: Scan = { text, at: 0 };
  const tokens: Token[] = [];
  while (scan.at < text.length) {
    const char = text[scan.at]!;
    if (char === ' ' || char === '\t' || char === '\r') scan.at += 1;
    else if (char === '\\' && text[scan.at + 1] === '\n') scan.at += 2;
    else if (char === '#') skipLine(scan);
    else if (skipRedirection(scan)) continue;
    else readToken(scan, tokens);
  }
  return tokens;
}

function readToken(scan: Scan, tokens: Token[]): void {
  const operator = OPERATORS.find((candidate) => scan.text.startsWith(candidate, scan.at));
  if (operator) {
    tokens.push({ kind: 'operator', text: operator });
    scan.at += operator.length;
    return;
  }
  tokens.push({ kind: 'word', text: readWord(scan) });
}

function skipLine(scan: Scan): void {
  const end = scan.text.indexOf('\n', scan.at);
  scan.at = end === -1 ? scan.text.length : end;
}

/** `> file`, `2>&1`, `&> file`, `< file`: the command runs without them, its streams are recorded anyway. `<name>` is a placeholder. */
function skipRedirection(scan: Scan): boolean {
  const match = /^(?:\d?>>?|&>>?|<(?![\w./ -]{1,40}>)<?-?)\s*(&\d)?/.exec(scan.text.slice(scan.at, scan.at + 60));
  if (!match) return false;
  scan.at += match[0].length;
  if (!match[1]) readWord(scan);
  return true;
}

function readWord(scan: Scan): string {
  let word = '';
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at]!;
    if (char === "'" || char === '"') word += readQuoted(scan, char);
    else if (char === '`' || scan.text.startsWith('$(', scan.at)) word += readSubstitution(scan);
    else if (char === '<') word += readPlaceholder(scan);
    else if (char === '\\') {
      if (scan.text[scan.at + 1] !== '\n') word += scan.text[scan.at + 1] ?? '';
      scan.at += 2;
    } else if (/[\s;|&()>]/.test(char)) break;
    else {
      word += char;
      scan.at += 1;
    }
  }
  return word;
}

function readPlaceholder(scan: Scan): string {
  const match = /^<[\w./ -]{1,40}>/.exec(scan.text.slice(scan.at, scan.at + 44));
  scan.at += match ? match[0].length : 1;
  return match ? match[0] : '<';
}

function readQuoted(scan: Scan, quote: string): string {
  let out = '';
  scan.at += 1;
  while (scan.at < scan.text.length && scan.text[scan.at] !== quote) {
    const escaped = quote === '"' && scan.text[scan.at] === '\\' && '"\\$`\n'.includes(scan.text[scan.at + 1] ?? ' ');
    if (escaped) scan.at += 1;
    out += scan.text[scan.at] ?? '';
    scan.at += 1;
  }
  scan.at += 1;
  return out;
}

function readSubstitution(scan: Scan): string {
  const start = scan.at;
  const close = scan.text[scan.at] === '`' ? '`' : ')';
  const end = scan.text.indexOf(close, scan.at + 1);
  scan.at = end === -1 ? scan.text.length : end + 1;
  return scan.text.slice(start, scan.at);
}
