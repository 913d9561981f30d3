import type { OracleOf } from '@reenact/domain';
import type { FacetDraft } from './facet-id.js';
import type { LiveClause } from './live-clauses.js';

const NAN = /(?<![\w-])(?:NaNs?|not[- ]a[- ]number)(?![\w-])/i;
const INF = /(?<![\w-])(?:inf|infs|infinity|infinite)(?![\w-])/i;
/** An infinite loop, an infinite stream, a function that looks for NaN: no numbers that went wrong. */
const NOT_A_NUMBER =
  /\binfinite(?:ly)? (?:loop|stream|sampler|iter\w{0,8}|data\w{0,8}|recursion|times?|wait\w{0,3}|generator|dataset)|\bnan_to_num\b|\bisnan\b|\bnan[- ](?:check|guard|detect\w{0,4}|filter|safe)/gi;
const METRIC =
  /\b(loss|accuracy|perplexity|norm|gradients?|weights?|reward|logits?|outputs?|learning rate|lr|scale|scores?|values?|numbers?|variance|std|mean|activations?)\b/i;
const PRINTED_NAMES: Readonly<Record<string, string>> = { loss: 'loss', losses: 'loss' };

/** A facet for numbers that turn into NaN or infinity. Named only after the loss, which programs print under that name. */
export function nonFiniteFacet(clauses: readonly LiveClause[]): FacetDraft | null {
  const hits = clauses.filter((clause) => {
    const text = clause.text.replace(NOT_A_NUMBER, ' ');
    return NAN.test(text) || (INF.test(text) && METRIC.test(text));
  });
  const first = hits[0];
  if (first === undefined) return null;
  const onLoss = hits.find((clause) => /\bloss(?:es)?\b/i.test(clause.sentence));
  const nan = hits.some((clause) => NAN.test(clause.text));
  const inf = hits.some((clause) => INF.test(clause.text.replace(NOT_A_NUMBER, ' ')) && METRIC.test(clause.text));
  const name = onLoss === undefined ? undefined : PRINTED_NAMES['loss'];
  const oracle: OracleOf<'nonfinite'> = {
    kind: 'nonfinite',
    which: nan && inf ? 'any' : nan ? 'nan' : 'inf',
    ...(name === undefined ? {} : { name }),
  };
  const told = onLoss ?? first;
  return {
    name: `nonfinite ${name ?? 'number'}`,
    title: hits.some((clause) => clause.title),
    statement: told.sentence,
    span: told.span,
    stance: 'observed',
    oracles: [oracle],
    shownBy: 'measurement',
  };
}
