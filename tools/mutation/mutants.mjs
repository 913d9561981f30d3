// Mutants of a TypeScript text: one small change each that a test should notice. Pure.
import ts from 'typescript';
import { seededDraws } from '../../libs/domain/src/seeded-draws.ts';
import { scopeOf } from './reach.mjs';

/** Comparisons and what each is turned into: its neighbour at the border, and its opposite. */
const COMPARISONS = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
};
const OPERATORS = { ...COMPARISONS, '&&': ['||'], '||': ['&&'], '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'] };
const CALLS = { some: 'every', every: 'some', min: 'max', max: 'min' };

/**
 * @typedef {{ file: string, scope: string, line: number, start: number, end: number, before: string, after: string }} Mutant
 *
 * Every mutant of a text: comparisons, thresholds (numbers), connectives, arithmetic, negations, booleans, some/every, min/max.
 * @param {string} file name for the reader
 * @param {string} text
 * @returns {Mutant[]} in the order of the text
 */
export function listMutants(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants = [];
  const add = (node, after) => {
    const start = node.getStart(source);
    const before = text.slice(start, node.getEnd());
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    if (before !== after) mutants.push({ file, scope: scopeOf(file, node), line, start, end: node.getEnd(), before, after });
  };
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return;
    mutationsOf(node).forEach(({ at, after }) => add(at, after));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

function mutationsOf(node) {
  if (ts.isBinaryExpression(node)) return operatorMutations(node);
  if (ts.isNumericLiteral(node)) return numbersFor(node.text).map((after) => ({ at: node, after }));
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ at: node, after: 'false' }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ at: node, after: 'true' }];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [{ at: node, after: `(${node.operand.getText()})` }];
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const after = CALLS[node.expression.name.text];
    return after === undefined ? [] : [{ at: node.expression.name, after }];
  }
  return [];
}

function operatorMutations(node) {
  const operator = node.operatorToken.getText();
  // Of `+` only what has a number beside it: texts are joined with it, too.
  const isArithmetic = operator === '+' || operator === '-' ? [node.left, node.right].some(ts.isNumericLiteral) : true;
  return isArithmetic ? (OPERATORS[operator] ?? []).map((after) => ({ at: node.operatorToken, after })) : [];
}

/** Neighbours of a threshold: one more and one less of a count, double and half of a fraction or of anything large. */
function numbersFor(text) {
  const value = Number(text.replaceAll('_', ''));
  if (!Number.isFinite(value)) return [];
  if (Number.isInteger(value) && Math.abs(value) < 100) return [String(value + 1), ...(value === 0 ? [] : [String(value - 1)])];
  return [String(value * 2), String(value / 2)];
}

/** The text with the mutant in it. */
export function applyMutant(text, { start, end, after }) {
  return text.slice(0, start) + after + text.slice(end);
}

/**
 * At most `most` mutants, drawn with a seed, spread over the files by their share: every file gives its first before any
 * gives its last.
 * @param {Mutant[]} mutants
 */
export function sampleMutants(mutants, most, seed) {
  const random = seededDraws(seed);
  const byFile = Map.groupBy(mutants, ({ file }) => file);
  const ranked = [...byFile.values()].flatMap((own) =>
    own
      .map((mutant) => ({ mutant, key: random() }))
      .sort((a, b) => a.key - b.key)
      // The rank within its file, scaled to 0–1: a prefix of the whole holds the same share of every file.
      .map(({ mutant }, index) => ({ mutant, rank: (index + random()) / own.length })),
  );
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ mutant }) => mutant);
}
