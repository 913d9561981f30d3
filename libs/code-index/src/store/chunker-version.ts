import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareText } from '../chunk.js';

let known: string | null = null;

/**
 * Names everything that decides what a file's record holds: the code of this library and the grammar, by their digest. A record of
 * other code is never taken for one of this, and nobody has to think of raising a number.
 */
export function chunkerVersion(): string {
  known ??= digest();
  return known;
}

function digest(): string {
  const library = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
  const grammar = createRequire(import.meta.url).resolve('tree-sitter-python/tree-sitter-python.wasm');
  const sources = readdirSync(library, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d|\.spec|\.integration)\.(?:ts|js)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort(compareText);
  return hash('sha256', [...sources, grammar].map((file) => hash('sha256', readFileSync(file))).join('\n')).slice(0, 32);
}
