// Which functions a spec runs: a text is given marks, one at the start of every function. Pure.
import ts from 'typescript';

/** Where marks are gathered while a spec runs. */
export const GATHERED = '__mutationReached';

/**
 * The name of the innermost function around a place, `''` at the level of the module. Parameters belong to their function.
 * @param {string} file name for the mark
 * @param {import('typescript').Node} node
 */
export function scopeOf(file, node) {
  for (let current = node; current; current = current.parent) if (hasBody(current)) return scopeName(file, current);
  return '';
}

/**
 * The text with a mark in every function that puts its name into the set `globalThis.__mutationReached`.
 * @param {string} file
 * @param {string} text
 */
export function withMarks(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const insertions = [];
  const visit = (node) => {
    if (hasBody(node)) insertions.push(...marksOf(node, scopeName(file, node)));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return insertions
    .sort((one, other) => other.at - one.at)
    .reduce((marked, { at, what }) => marked.slice(0, at) + what + marked.slice(at), text);
}

function hasBody(node) {
  return ts.isFunctionLike(node) && node.body !== undefined;
}

function scopeName(file, node) {
  return `${file}:${node.getStart()}`;
}

function marksOf({ body }, name) {
  const mark = `globalThis.${GATHERED}?.add(${JSON.stringify(name)})`;
  if (ts.isBlock(body)) return [{ at: body.getStart() + 1, what: `${mark};` }];
  return [
    { at: body.getStart(), what: `(${mark}, ` },
    { at: body.getEnd(), what: ')' },
  ];
}
