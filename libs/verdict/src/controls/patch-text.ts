import { AppError } from '@reenact/domain';

/**
 * One hunk of a unified diff. Lines carry their end of line, except where the diff says that there is none.
 * All texts are byte strings (one character per byte), so that files of any encoding come through unchanged.
 */
export interface Hunk {
  /** Number of the hunk in its file, from 1, for messages. */
  number: number;
  oldStart: number;
  lines: { kind: ' ' | '-' | '+'; text: string }[];
}

export interface FilePatch {
  /** Paths as the diff writes them, with their `a/` and `b/`; null stands for /dev/null. */
  oldPath: string | null;
  newPath: string | null;
  executable: boolean | null;
  hunks: Hunk[];
}

interface Reader {
  lines: string[];
  at: number;
  files: FilePatch[];
}

const HUNK_HEADER = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/**
 * Reads a unified diff, plain or as git writes it: new, deleted and renamed files, modes, quoted paths.
 * @param patchText the diff as Unicode text
 * @throws AppError `patch-does-not-apply` for binary patches and broken hunks
 */
export function parsePatch(patchText: string): FilePatch[] {
  const bytes = Buffer.from(patchText, 'utf8').toString('latin1');
  const reader: Reader = { lines: bytes.split('\n'), at: 0, files: [] };
  if (reader.lines.at(-1) === '') reader.lines.pop();
  while (reader.at < reader.lines.length) {
    const line = header(reader, reader.at);
    if (line.startsWith('diff --git ')) readGitFile(reader);
    else if (line.startsWith('--- ') && header(reader, reader.at + 1).startsWith('+++ ')) readFile(reader, emptyFile());
    else reader.at += 1;
  }
  if (reader.files.length === 0) throw new AppError('patch-does-not-apply', 'the patch holds no file', { hint: 'give a unified diff' });
  return reader.files;
}

function header(reader: Reader, index: number): string {
  return (reader.lines[index] ?? '').replace(/\r$/, '');
}

function emptyFile(): FilePatch {
  return { oldPath: null, newPath: null, executable: null, hunks: [] };
}

function readGitFile(reader: Reader): void {
  const file = emptyFile();
  const first = header(reader, reader.at).slice('diff --git '.length);
  const names = gitNames(first);
  let [oldName, newName] = names ?? [null, null];
  reader.at += 1;
  for (; reader.at < reader.lines.length; reader.at++) {
    const line = header(reader, reader.at);
    if (line.startsWith('--- ')) return readFile(reader, file);
    if (line.startsWith('diff --git ') || line.startsWith('@@ ')) break;
    if (line.startsWith('GIT binary patch') || line.startsWith('Binary files ')) fail(first, 'binary patches cannot be applied');
    const mode = /^(?:new file mode|new mode) (\d{6})$/.exec(line)?.[1];
    if (mode !== undefined) file.executable = mode.endsWith('755');
    if (line.startsWith('new file mode')) oldName = null;
    if (line.startsWith('deleted file mode')) newName = null;
    if (line.startsWith('rename from ')) oldName = `a/${unquote(line.slice(12))}`;
    if (line.startsWith('rename to ')) newName = `b/${unquote(line.slice(10))}`;
    if (line.startsWith('copy from ')) fail(first, 'copies cannot be applied');
  }
  // A change without hunks: a rename, a mode, or an empty file.
  if (oldName !== null || newName !== null) reader.files.push({ ...file, oldPath: oldName, newPath: newName });
}

/** `a/x b/x`: both names are equal behind their prefix, which tells names with blanks apart. */
function gitNames(text: string): [string, string] | null {
  const half = (text.length - 1) / 2;
  const [left, right] = [text.slice(0, half), text.slice(half + 1)];
  return Number.isInteger(half) && left.replace(/^[^/]*\//, '') === right.replace(/^[^/]*\//, '') ? [unquote(left), unquote(right)] : null;
}

function readFile(reader: Reader, file: FilePatch): void {
  file.oldPath = filePath(header(reader, reader.at).slice(4));
  file.newPath = filePath(header(reader, reader.at + 1).slice(4));
  reader.at += 2;
  for (let match = HUNK_HEADER.exec(header(reader, reader.at)); match !== null; match = HUNK_HEADER.exec(header(reader, reader.at))) {
    reader.at += 1;
    const counts = { old: Number(match[2] ?? 1), new: Number(match[4] ?? 1) };
    file.hunks.push(readHunk(reader, { number: file.hunks.length + 1, oldStart: Number(match[1]), lines: [] }, counts));
  }
  if (file.oldPath === null && file.newPath === null) throw new AppError('patch-does-not-apply', 'a file of the patch has no name');
  reader.files.push(file);
}

function readHunk(reader: Reader, hunk: Hunk, counts: { old: number; new: number }): Hunk {
  while (counts.old > 0 || counts.new > 0) {
    const line = reader.lines[reader.at];
    if (line === undefined) throw new AppError('patch-does-not-apply', `hunk ${hunk.number} ends before its line counts are met`);
    // An empty context line whose blank was trimmed by an editor.
    const kind = line === '' || line === '\r' ? ' ' : line[0];
    if (kind !== ' ' && kind !== '-' && kind !== '+')
      throw new AppError('patch-does-not-apply', `hunk ${hunk.number} holds a line that is none of ' ', '-', '+'`);
    if (kind !== '+') counts.old -= 1;
    if (kind !== '-') counts.new -= 1;
    reader.at += 1;
    const text = line === '' || line === '\r' ? line : line.slice(1);
    const bare = (reader.lines[reader.at] ?? '').startsWith('\\');
    if (bare) reader.at += 1;
    hunk.lines.push({ kind, text: bare ? text : `${text}\n` });
  }
  if (counts.old < 0 || counts.new < 0) throw new AppError('patch-does-not-apply', `hunk ${hunk.number} is longer than its line counts`);
  return hunk;
}

/** Drops a time stamp after a tab; `/dev/null` becomes null. */
function filePath(text: string): string | null {
  const path = text.startsWith('"') ? unquote(text) : (text.split('\t')[0] ?? '').trimEnd();
  return path === '/dev/null' ? null : path;
}

/** Reads a path quoted as git does it (C escapes), and decodes its UTF-8. */
function unquote(text: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
  const plain = (quoted ?? text).replace(/\\([0-7]{3}|.)/g, (whole, escape: string) => {
    if (quoted === undefined) return whole;
    return escape.length === 3 ? String.fromCharCode(parseInt(escape, 8)) : (escapes[escape] ?? escape);
  });
  return Buffer.from(plain, 'latin1').toString('utf8');
}

function fail(file: string, reason: string): never {
  throw new AppError('patch-does-not-apply', `${file}: ${reason}`);
}
