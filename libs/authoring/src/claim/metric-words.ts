/** A quantity that training programs print, with the forms in which reports and logs write it. */
export interface Metric {
  name: string;
  /** How sentences call it. */
  words: RegExp;
  /** Source of a pattern for its name in printed lines. */
  printed: string;
  /** Range that the quantity can't leave by its definition, where it has one. */
  low?: number;
  high?: number;
}

function metric(name: string, words: string, printed: string, range: { low?: number; high?: number } = {}): Metric {
  return { name, words: new RegExp(String.raw`\b(?:${words})\b`, 'i'), printed, ...range };
}

const UNIT_RANGE = { low: 0, high: 1 };

/** Closed list: a number is bound only to a quantity whose printed name is customary. */
export const METRICS: readonly Metric[] = [
  metric('accuracy', 'acc(?:uracy|uracies)?', 'acc(?:uracy)?', UNIT_RANGE),
  metric('perplexity', 'perplexity|ppl', '(?:perplexity|ppl)', { low: 1 }),
  metric('f1', 'f1(?:[ -]score)?', 'f1(?:[ _-]?score)?', UNIT_RANGE),
  metric('precision', 'precision(?! training)', 'precision', UNIT_RANGE),
  metric('recall', 'recall', 'recall', UNIT_RANGE),
  metric('auc', '(?:roc[- ])?auc', 'auc', UNIT_RANGE),
  metric('iou', '(?:mean )?iou|miou|jaccard(?: index)?', 'm?iou', UNIT_RANGE),
  metric('dice', 'dice(?: score| coefficient)?', 'dice', UNIT_RANGE),
  metric('error rate', 'error rate', 'err(?:or)?(?:[ _-]rate)?', UNIT_RANGE),
  metric('mse', 'mse|mean squared error', 'mse', { low: 0 }),
  metric('rmse', 'rmse', 'rmse', { low: 0 }),
  metric('mae', 'mae|mean absolute error', 'mae', { low: 0 }),
  metric('kl', 'kl(?:[ -]divergence)?', 'kl(?:d|_div)?', { low: 0 }),
  metric('variance', 'variance', 'var(?:iance)?', { low: 0 }),
  metric('norm', '(?:gradient |weight |grad )?norm', 'norm', { low: 0 }),
  metric('reward', 'reward|return', '(?:reward|return)'),
  metric('learning rate', 'learning rate|lr', '(?:lr|learning[ _]rate)'),
  metric('loss', 'loss(?:es)?', 'loss'),
];

/** The metric that a text speaks of; the one whose word stands nearest before `at`, else the first one after. */
export function metricIn(text: string, at = text.length): { metric: Metric; index: number } | null {
  let best: { metric: Metric; index: number } | null = null;
  for (const candidate of METRICS) {
    for (const match of text.matchAll(new RegExp(candidate.words.source, 'gi'))) {
      if (match.index < at && (best === null || match.index > best.index)) best = { metric: candidate, index: match.index };
    }
  }
  return best;
}

/** Pattern for a printed value of the metric: its name, a separator, and one group for the number. */
export function printedPattern(metricName: Metric): string {
  return String.raw`(?<![a-z])${metricName.printed}(?![a-z])["']?[ \t=:~]{1,4}([-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)`;
}
