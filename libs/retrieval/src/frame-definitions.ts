import type { CodeIndex, Definition } from '@reenact/code-index';
import { lookupsOf } from './code-lookups.js';
import type { QueryFrame } from './query.js';

/** A frame of the report that the tree holds. */
export interface KnownFrame {
  frame: QueryFrame;
  /** The tree's file. */
  file: string;
  /** The function or class that the frame names; null for module level. */
  definition: Definition | null;
}

/**
 * Frames that lie in the tree, deepest first, each place once. A frame's path is the reporter's, so files are matched by the
 * longest common end of the path; where several files match equally well, the one that defines the frame's function counts.
 */
export function findFrames(index: CodeIndex, frames: QueryFrame[]): KnownFrame[] {
  const byBase = Map.groupBy(index.texts.keys(), baseName);
  const known = new Map<string, KnownFrame>();
  for (const frame of [...frames].reverse()) {
    const parts = frame.file
      .replaceAll('\\', '/')
      .split('/')
      .filter((part) => part !== '' && part !== '.');
    const found = bestFile(index, byBase.get(parts.at(-1) ?? '') ?? [], parts, frame);
    if (found === null) continue;
    const definition = definitionOf(index, found, frame);
    const key = `${found}\n${definition?.name ?? `:${frame.line ?? 0}`}`;
    if (!known.has(key)) known.set(key, { frame, file: found, definition });
  }
  return [...known.values()];
}

function bestFile(index: CodeIndex, files: string[], parts: string[], frame: QueryFrame): string | null {
  const lengths = files.map((file) => commonEnd(file.split('/'), parts));
  const longest = Math.max(0, ...lengths);
  const best = files.filter((_, place) => lengths[place] === longest);
  if (best.length > 1) return best.find((file) => definitionOf(index, file, frame) !== null) ?? null;
  // A library's file may bear the name of one of ours: one common part is enough only when the function agrees as well.
  const [file] = best;
  const isLibrary = parts.some((part) => /^(?:site-packages|dist-packages|python\d[\d.]*)$|^<frozen/.test(part));
  if (file === undefined) return null;
  return isLibrary && longest < 2 && definitionOf(index, file, frame) === null ? null : file;
}

function commonEnd(left: string[], right: string[]): number {
  let length = 0;
  while (length < Math.min(left.length, right.length) && left.at(-1 - length) === right.at(-1 - length)) length++;
  return length;
}

function definitionOf(index: CodeIndex, file: string, frame: QueryFrame): Definition | null {
  const name = (frame.function ?? '').split('.').at(-1) ?? '';
  if (name === '' || name.startsWith('<')) return null;
  const own = lookupsOf(index).definitions.get(file) ?? [];
  const named = own.filter((item) => item.name.slice(item.name.lastIndexOf('.') + 1) === name);
  const line = frame.line;
  // Definitions come outermost first, so the last one around the line is the innermost.
  const around = line === undefined ? undefined : named.findLast((item) => item.startLine <= line && item.endLine >= line);
  return around ?? named.find((item) => item.kind !== 'class') ?? named[0] ?? null;
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
