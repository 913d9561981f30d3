import type { OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { withoutSignal } from './missing-signal.js';
import { hasName, observedNumbers, printedMetrics } from './named-numbers.js';
import { answer, groundedIn, type OracleAnswer } from './oracle-answer.js';

function isWanted(value: number, which: OracleOf<'nonfinite'>['which']): boolean {
  if (Number.isFinite(value)) return false;
  return which === 'any' || (which === 'nan') === Number.isNaN(value);
}

/** Shown at the first NaN or infinity of the named observation or printed metric, not later than the claimed step. */
export function evaluateNonFinite(oracle: OracleOf<'nonfinite'>, view: EvidenceView): OracleAnswer {
  const wantedName = oracle.name;
  const numbers = [...observedNumbers(view.observations), ...printedMetrics(view)].filter(
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
