import type { CodeIndex } from './assemble-index.js';
import { assembleIndex } from './assemble-index.js';
import { nextTurn } from './next-turn.js';
import { loadPythonSyntax } from './python-syntax.js';
import type { SkippedPath, SourceFile } from './source-files.js';
import { openTree } from './store/open-tree.js';
import type { ParsedFile } from './store/parsed-file.js';
import { decodeParsed } from './store/parsed-file.js';
import { parseSource } from './store/parse-source.js';

/** Reads, parses and chunks a tree, in memory. Odd files never fail it: they are windowed or named in `skipped`. */
export async function buildCodeIndex(treeDirectory: string): Promise<CodeIndex> {
  const tree = await openTree(treeDirectory);
  try {
    return await tree.codeIndex();
  } finally {
    tree.close();
  }
}

/** The index of files already read; the part of `buildCodeIndex` that touches no disk but the grammar. */
export async function indexSources(sources: SourceFile[], skipped: SkippedPath[] = []): Promise<CodeIndex> {
  const syntax = await loadPythonSyntax();
  const parsed: ParsedFile[] = [];
  const left = [...skipped];
  for (const { file, kind, text } of sources) {
    const outcome = parseSource(syntax, { file, kind, bytes: new TextEncoder().encode(text) });
    if (outcome.status === 'parsed') parsed.push(decodeParsed(file, kind, outcome.encoded));
    else left.push({ path: file, reason: outcome.reason });
    await nextTurn();
  }
  return assembleIndex(parsed, left, null);
}
