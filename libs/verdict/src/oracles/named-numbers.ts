import type { EvidenceOf } from '@reenact/domain';
import type { EvidenceView, StreamView } from '../evidence/evidence-view.js';
import { LINE_LIMIT } from '../pattern/safe-pattern.js';
import { comparable, type Comparable, fieldOf } from './observed-value.js';
import { processOf } from './observed-line.js';
import { isObservationLine } from './printed.js';

/** A number with a name: of an observation line, or of a line that the program prints. */
export interface NamedNumber {
  seq: number;
  name: string;
  value: number;
  step: number | null;
  /** Which process and, for printed ones, which stream it comes from. */
  source: string;
  /** The word before a printed name: `val` of `val loss 0.5`. */
  before: string;
  text: string;
}

/** `loss nan`, `loss: nan`, `val/loss = 1.5`: a name, a separator or a blank, and a number. */
const METRIC =
  /(?<![\w./-])([A-Za-z_][\w./-]{0,60})(\s{0,3}[:=]\s{0,3}|\s{1,3})([-+]?(?:nan|inf(?:inity)?|\d{1,20}(?:\.\d{0,20})?(?:e[-+]?\d{1,4})?))(?![\w.])/gi;
const STEP = /(?<![A-Za-z])(?:global_?step|step|iteration|iter|it|batch)\s{0,3}[:=#]?\s{0,3}(\d{1,9})/i;
/** Words that name a number where only a blank stands between: `found nan` or `no inf` names none. */
const METRIC_WORD =
  /(?:^|[._/-])(?:loss|losses|acc|accuracy|grad|grads|gradient|norm|gnorm|ppl|perplexity|err|error|mse|rmse|mae|score|metric|nll|kl|kld|elbo|reward|cost|bleu|wer|auc|f1|psnr|ssim|iou|dice|weight|weights|output|logits|value|mean|std|var)$/i;

/** All numbers in a value, those of lists and mappings included. */
export function numbersIn(value: Comparable): number[] {
  if (Array.isArray(value)) return value.flatMap(numbersIn);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(numbersIn);
  return typeof value === 'number' ? [value] : [];
}

/** The numbers of observation lines, each with its name. */
export function observedNumbers(observations: readonly EvidenceOf<'obs'>[]): NamedNumber[] {
  return observations.flatMap((record) => {
    const step = comparable(record.values['step']);
    return Object.entries(record.values)
      .filter(([name]) => name !== 'step' && name !== 'rank')
      .flatMap(([name, raw]) =>
        numbersIn(comparable(raw)).map((value) => ({
          seq: record.seq,
          name,
          value,
          step: typeof step === 'number' ? step : null,
          source: `${processOf(record)}/${JSON.stringify(fieldOf(record, 'rank') ?? null)}`,
          before: '',
          text: `OBS ${name}=${JSON.stringify(raw)}`,
        })),
      );
  });
}

function metricsOfLine(record: EvidenceOf<'stream'>, source: string): NamedNumber[] {
  const line = record.line.slice(0, LINE_LIMIT);
  const step = STEP.exec(line)?.[1];
  return [...line.matchAll(METRIC)]
    .filter((match) => /[:=]/.test(match[2] ?? '') || METRIC_WORD.test(match[1] ?? ''))
    .flatMap((match) => {
      const value = comparable(match[3] ?? '');
      if (typeof value !== 'number') return [];
      const before = /([A-Za-z]{1,40})\s{1,3}$/.exec(line.slice(Math.max(0, match.index - 44), match.index))?.[1] ?? '';
      return [
        { seq: record.seq, name: match[1] ?? '', value, step: step === undefined ? null : Number(step), source, before, text: record.line },
      ];
    });
}

function metricsOfStream(stream: StreamView): NamedNumber[] {
  const source = `${processOf(stream)}/${stream.channel}`;
  return stream.lines.filter((record) => !isObservationLine(record.line)).flatMap((record) => metricsOfLine(record, source));
}

/** The numbers that the program prints by itself, each with its name. */
export function printedMetrics(view: EvidenceView): NamedNumber[] {
  return view.streams.flatMap(metricsOfStream);
}

/** Whether a name is the wanted one, as a whole or in its last part: `loss` of `train/loss`. */
export function hasName(name: string, wanted: string): boolean {
  const seen = name.toLowerCase();
  const asked = wanted.toLowerCase();
  return seen === asked || seen.split(/[./]/).at(-1) === asked;
}
