import type { OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { withoutSignal } from './missing-signal.js';
import { comparable, type Comparable } from './observed-value.js';
import { answer, groundedIn, type OracleAnswer } from './oracle-answer.js';
import { isObservationLine } from './printed.js';
import { LINE_LIMIT } from '../pattern/safe-pattern.js';

interface NamedNumber {
  seq: number;
  name: string;
  value: number;
  step: number | null;
  text: string;
}

/** `loss nan`, `loss: nan`, `val/loss = 1.5`: a name, a separator or a blank, and a number. */
const METRIC =
  /(?<![\w./-])([A-Za-z_][\w./-]{0,60})(\s{0,3}[:=]\s{0,3}|\s{1,3})([-+]?(?:nan|inf(?:inity)?|\d{1,20}(?:\.\d{0,20})?(?:e[-+]?\d{1,4})?))(?![\w.])/gi;
const STEP = /(?<![A-Za-z])(?:global_?step|step|iteration|iter|it|batch)\s{0,3}[:=#]?\s{0,3}(\d{1,9})/i;
/** Words that name a number where only a blank stands between: `found nan` or `no inf` names none. */
const METRIC_WORD =
  /(?:^|[._/-])(?:loss|losses|acc|accuracy|grad|grads|gradient|norm|gnorm|ppl|perplexity|err|error|mse|rmse|mae|score|metric|nll|kl|kld|elbo|reward|cost|bleu|wer|auc|f1|psnr|ssim|iou|dice|weight|weights|output|logits|value|mean|std|var)$/i;

function numbersIn(value: Comparable): number[] {
  if (Array.isArray(value)) return value.flatMap(numbersIn);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(numbersIn);
  return typeof value === 'number' ? [value] : [];
}

function observedNumbers(view: EvidenceView): NamedNumber[] {
  return view.observations.flatMap((record) => {
    const step = comparable(record.values['step']);
    return Object.entries(record.values)
      .filter(([name]) => name !== 'step' && name !== 'rank')
      .flatMap(([name, raw]) =>
        numbersIn(comparable(raw)).map((value) => ({
          seq: record.seq,
          name,
          value,
          step: typeof step === 'number' ? step : null,
          text: `OBS ${name}=${JSON.stringify(raw)}`,
        })),
      );
  });
}

function printedMetrics(view: EvidenceView): NamedNumber[] {
  const lines = view.streams.flatMap((stream) => stream.lines).filter((record) => !isObservationLine(record.line));
  return lines.flatMap((record) => {
    const line = record.line.slice(0, LINE_LIMIT);
    const step = STEP.exec(line)?.[1];
    return [...line.matchAll(METRIC)]
      .filter((match) => /[:=]/.test(match[2] ?? '') || METRIC_WORD.test(match[1] ?? ''))
      .flatMap((match) => {
        const value = comparable(match[3] ?? '');
        return typeof value === 'number'
          ? [{ seq: record.seq, name: match[1] ?? '', value, step: step === undefined ? null : Number(step), text: record.line }]
          : [];
      });
  });
}

function hasName(name: string, wanted: string): boolean {
  const seen = name.toLowerCase();
  const asked = wanted.toLowerCase();
  return seen === asked || seen.split(/[./]/).at(-1) === asked;
}

function isWanted(value: number, which: OracleOf<'nonfinite'>['which']): boolean {
  if (Number.isFinite(value)) return false;
  return which === 'any' || (which === 'nan') === Number.isNaN(value);
}

/** Shown at the first NaN or infinity of the named observation or printed metric, not later than the claimed step. */
export function evaluateNonFinite(oracle: OracleOf<'nonfinite'>, view: EvidenceView): OracleAnswer {
  const wantedName = oracle.name;
  const numbers = [...observedNumbers(view), ...printedMetrics(view)].filter(
    (number) => wantedName === undefined || hasName(number.name, wantedName),
  );
  const nonFinite = numbers.filter((number) => isWanted(number.value, oracle.which)).toSorted((left, right) => left.seq - right.seq);
  const first = nonFinite[0];
  if (first) {
    const grounding = [groundedIn(first.seq, first.text)];
    if (oracle.atMostStep === undefined) return answer('shown', grounding);
    const limit = oracle.atMostStep;
    const early = nonFinite.find((number) => number.step !== null && number.step <= limit);
    if (early) return answer('shown', [groundedIn(early.seq, early.text)]);
    if (nonFinite.every((number) => number.step !== null)) return answer('absent', grounding, `not finite, but only after step ${limit}`);
    return answer('undecided', grounding, 'not finite, at a step that nothing tells');
  }
  if (numbers.length === 0)
    return withoutSignal(view, answer('undecided', [], `${wantedName ?? 'a number'} was never observed or printed`));
  const last = numbers.at(-1);
  return withoutSignal(view, answer('absent', last ? [groundedIn(last.seq, last.text)] : []));
}
