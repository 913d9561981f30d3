// Which specs can notice a change of a file: those that import it, directly or through others, the nearest first.
import { readFileSync, globSync } from 'node:fs';
import path from 'node:path';

/**
 * @param {string} directory root of the sources whose relative imports are followed
 * @returns {(file: string) => string[]} absolute paths of specs for the absolute path of a source, nearest first
 */
export function relatedSpecs(directory) {
  const files = globSync('**/*.ts', { cwd: directory }).map((file) => path.join(directory, file));
  const importers = new Map(files.map((file) => [file, []]));
  for (const file of files) for (const target of importsOf(file)) importers.get(target)?.push(file);
  return (file) => {
    const distance = new Map([[file, 0]]);
    for (const current of distance.keys())
      for (const importer of importers.get(current) ?? []) if (!distance.has(importer)) distance.set(importer, distance.get(current) + 1);
    return [...distance.keys()].filter((one) => one.endsWith('.spec.ts'));
  };
}

function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s+'(\.{1,2}\/[^']+)\.js'/g)].map(([, target]) => path.join(path.dirname(file), `${target}.ts`));
}
