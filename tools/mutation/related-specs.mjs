// Which specs can notice a change, the likeliest and quickest first.
import path from 'node:path';

/**
 * @typedef {{ spec: string, milliseconds: number, reached: string[] }} SpecReach what a spec ran in the first pass
 *
 * A change inside a function can be noticed by specs that run it. A constant of a module works in the functions of its file and
 * in those of the files that import it; one that travels farther counts as not noticed, so that the score errs to the low side.
 * @param {SpecReach[]} reaches
 * @param {Map<string, string[]>} importers files that import a file, relative to the sources like it
 * @returns {(mutant: { file: string, scope: string }) => string[]}
 */
export function relatedSpecs(reaches, importers) {
  const indexed = reaches.map(({ spec, milliseconds, reached }) => ({
    spec,
    milliseconds,
    scopes: new Set(reached),
    files: new Set(reached.map((scope) => scope.slice(0, scope.lastIndexOf(':')))),
  }));
  return ({ file, scope }) => {
    const users = [file, ...(importers.get(file) ?? [])];
    const isOwn = ({ spec }) => path.basename(spec, '.spec.ts') === path.basename(file, '.ts');
    return indexed
      .filter(({ scopes, files }) => (scope === '' ? users.some((user) => files.has(user)) : scopes.has(scope)))
      .sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)) || one.milliseconds - other.milliseconds)
      .map(({ spec }) => spec);
  };
}

/**
 * Files by the file that they import.
 * @param {Map<string, string>} texts by path relative to the sources
 */
export function importersOf(texts) {
  const importers = new Map([...texts.keys()].map((file) => [file, []]));
  for (const [file, text] of texts)
    for (const [, target] of text.matchAll(/from\s+'(\.{1,2}\/[^']+)\.js'/g))
      importers.get(path.join(path.dirname(file), `${target}.ts`))?.push(file);
  return importers;
}
