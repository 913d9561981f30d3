import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

const MOST_FILES = 2000;

/**
 * First components of the absolute imports of a tree's Python files, without the tree's own modules and the standard library.
 * A line scan is enough here: a name too many is only looked up in the list of known distributions.
 *
 * @param standardLibrary names of `sys.stdlib_module_names`.
 */
export async function importedModules(tree: string, standardLibrary: ReadonlySet<string>): Promise<string[]> {
  const files = await pythonFiles(tree);
  const own = new Set(files.flatMap((file) => [file.split('/')[0]?.replace(/\.py$/, '') ?? '', path.basename(file, '.py')]));
  const found = new Set<string>();
  for (const file of files) {
    const text = await readFile(path.join(tree, file), 'utf8').catch(() => '');
    for (const name of importedIn(text)) if (!own.has(name) && !standardLibrary.has(name)) found.add(name);
  }
  return [...found].sort();
}

/** First components of the names that a text imports. */
function importedIn(text: string): string[] {
  const statements = text.matchAll(/^[ \t]*(?:from[ \t]+([A-Za-z_]\w*)[\w.]*[ \t]+import\b|import[ \t]+([A-Za-z_][\w., \t]*))/gm);
  return [...statements]
    .flatMap(([, from, list]) => (from === undefined ? (list ?? '').split(',').map((part) => part.trim().split(/[.\s]/)[0] ?? '') : [from]))
    .filter((name) => name !== '');
}

async function pythonFiles(tree: string): Promise<string[]> {
  const entries = await readdir(tree, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => path.relative(tree, path.join(entry.parentPath, entry.name)))
    .sort()
    .slice(0, MOST_FILES);
}
