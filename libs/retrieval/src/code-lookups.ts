import type { CodeIndex, Definition, IndexedChunk, ResolvedImport } from '@reenact/code-index';

/** What a tree holds, by file: contexts ask for it again and again. */
export interface CodeLookups {
  definitions: Map<string, Definition[]>;
  chunks: Map<string, IndexedChunk[]>;
  /** Place of each chunk in `CodeIndex.chunks`, by its id. */
  places: Map<string, number>;
  /** Files that import a file, sorted as the index is. */
  importers: Map<string, string[]>;
}

const lookups = new WeakMap<CodeIndex, CodeLookups>();

/** The lookups of an index, made once and kept as long as the index is. */
export function lookupsOf(code: CodeIndex): CodeLookups {
  const known = lookups.get(code);
  if (known !== undefined) return known;
  const made = {
    definitions: Map.groupBy(code.definitions, (definition) => definition.file),
    chunks: Map.groupBy(code.chunks, (chunk) => chunk.file),
    places: new Map(code.chunks.map(({ id }, place) => [id, place])),
    importers: importersOf(code.imports),
  };
  lookups.set(code, made);
  return made;
}

function importersOf(imports: Map<string, ResolvedImport[]>): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, list] of imports) {
    for (const target of new Set(list.flatMap((item) => (item.file === null || item.file === file ? [] : [item.file])))) {
      const found = importers.get(target);
      if (found === undefined) importers.set(target, [file]);
      else found.push(file);
    }
  }
  return importers;
}
