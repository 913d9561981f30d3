import type { EvidenceOf, Frame } from '@reenact/domain';
import type { PythonSyntax } from '@reenact/code-index';
import { planPatch, type PatchedFile } from './apply-patch.js';
import { functionAt, outlinePython, type FileOutline } from './python-outline.js';

/** A function of the subject that is thought to be wrong; `<module>` stands for a file's top-level code. */
export interface Suspect {
  file: string;
  /** Dotted name, such as `Cell.generate`. */
  function: string;
}

export const MODULE_SUSPECT = '<module>';

/** Outlines of the subject's Python files by path relative to the tree. */
export type TreeOutline = ReadonlyMap<string, FileOutline>;

/**
 * Functions whose lines a patch changes, in the tree before the patch. Added lines count for the function that holds
 * them afterwards, if it was there before. Blank lines and comments count for nothing, imports only where nothing else
 * changes; other top-level code is `<module>`.
 * @param directory the tree before the patch
 * @throws AppError `patch-does-not-apply`
 */
export async function suspectsFromPatch(python: PythonSyntax, directory: string, patchText: string): Promise<Suspect[]> {
  const suspects: Suspect[] = [];
  for (const file of await planPatch(directory, patchText)) {
    if (file.oldPath?.endsWith('.py') && file.before !== null) suspects.push(...suspectsOfFile(python, file.oldPath, file));
  }
  return suspects;
}

function suspectsOfFile(python: PythonSyntax, path: string, file: PatchedFile): Suspect[] {
  const before = decode(file.before ?? '');
  const after = decode(file.after ?? '');
  const old = outlinePython(python, before);
  const known = new Set(old.functions.map((entry) => entry.name));
  const changed = [
    ...changedNames({ text: before, outline: old }, file.removedLines),
    ...changedNames({ text: after, outline: outlinePython(python, after) }, file.addedLines),
  ].filter((name) => name === MODULE_SUSPECT || name === IMPORTS || known.has(name));
  const names = changed.filter((name) => name !== IMPORTS);
  if (names.length === 0 && changed.length > 0) names.push(MODULE_SUSPECT);
  return [...new Set(names)].map((name) => ({ file: path, function: name }));
}

const IMPORTS = '<imports>';

/** Functions that hold the lines, `<module>` and `<imports>` for top-level code; definitions themselves change nothing. */
function changedNames(side: { text: string; outline: FileOutline }, numbers: readonly number[]): string[] {
  const lines = side.text.split('\n');
  return numbers.flatMap((number) => {
    const line = (lines[number - 1] ?? '').trim();
    if (line === '' || line.startsWith('#')) return [];
    const inside = functionAt(side.outline, number);
    if (inside !== null) return [inside.name];
    if (/^(?:import|from)\s/.test(line)) return [IMPORTS];
    return /^(?:@|class\s|(?:async\s+)?def\s)/.test(line) ? [] : [MODULE_SUSPECT];
  });
}

function decode(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/**
 * Functions of the subject that a claim points at: the deepest claimed frame that lies in the tree, else the functions
 * and classes (all methods of them) whose names the report speaks of.
 * @param frames as the report claims them, deepest last; paths of another machine are matched by their ends
 */
export function suspectsFromClaim(frames: readonly Frame[], symbols: readonly string[], tree: TreeOutline): Suspect[] {
  for (const frame of frames.toReversed()) {
    const found = suspectsOfFrame(frame, tree);
    if (found.length > 0) return found;
  }
  return symbols.flatMap((symbol) => suspectsOfSymbol(symbol, tree)).filter(isFirst);
}

function suspectsOfFrame(frame: Frame, tree: TreeOutline): Suspect[] {
  if (frame.function === undefined || frame.function.startsWith('<')) return [];
  const wanted = lastName(frame.function);
  const found: Suspect[] = [];
  for (const file of matchingFiles(frame.file, tree)) {
    const named = (tree.get(file)?.functions ?? []).filter((entry) => lastName(entry.name) === wanted);
    const line = frame.line ?? 0;
    const exact = named.filter((entry) => line >= entry.startLine && line <= entry.endLine);
    found.push(...(exact.length > 0 ? exact : named).map((entry) => ({ file, function: entry.name })));
  }
  return found.filter(isFirst);
}

/** Files of the tree that end like the path, those with the longest common end. */
function matchingFiles(path: string, tree: TreeOutline): string[] {
  const wanted = path.replaceAll('\\', '/').split('/').filter(Boolean).reverse();
  let best = 0;
  let files: string[] = [];
  for (const file of tree.keys()) {
    const parts = file.split('/').reverse();
    const differs = parts.findIndex((part, index) => part !== wanted[index]);
    const common = differs === -1 ? parts.length : differs;
    if (common > best) [best, files] = [common, []];
    if (common === best && common > 0) files.push(file);
  }
  return files;
}

function suspectsOfSymbol(symbol: string, tree: TreeOutline): Suspect[] {
  const wanted = symbol.replace(/\(.*$/s, '').split('.').filter(Boolean);
  if (wanted.length === 0) return [];
  const found: Suspect[] = [];
  for (const [file, outline] of tree) {
    const module = file
      .replace(/\.py$/, '')
      .replace(/\/__init__$/, '')
      .split('/');
    const isMeant = (name: string): boolean => endsWith([...module, ...name.split('.')], wanted);
    const classes = outline.classes.filter(isMeant);
    for (const entry of outline.functions) {
      const holder = entry.name.split('.').slice(0, -1).join('.');
      if (isMeant(entry.name) || classes.includes(holder)) found.push({ file, function: entry.name });
    }
  }
  return found;
}

function endsWith(parts: string[], ending: string[]): boolean {
  return ending.length <= parts.length && ending.every((part, index) => part === parts[parts.length - ending.length + index]);
}

/**
 * Functions whose bodies ran in a coverage trial: the fallback where neither patch nor claim names any. The line of a
 * `def` runs at import and proves nothing.
 */
export function suspectsFromCoverage(records: readonly EvidenceOf<'coverage'>[], tree: TreeOutline): Suspect[] {
  const found: Suspect[] = [];
  for (const { file, lines } of records.flatMap((record) => record.files)) {
    const outline = tree.get(file);
    if (outline === undefined) continue;
    for (const entry of outline.functions) {
      const ran = lines.some((line) => line >= entry.bodyLine && line > entry.startLine && functionAt(outline, line) === entry);
      if (ran) found.push({ file, function: entry.name });
    }
  }
  return found.filter(isFirst);
}

function lastName(qualified: string): string {
  return qualified.split('.').at(-1) ?? qualified;
}

function isFirst(suspect: Suspect, index: number, all: Suspect[]): boolean {
  return all.findIndex((other) => other.file === suspect.file && other.function === suspect.function) === index;
}
