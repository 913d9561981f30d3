import type { OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { cutNote, wasCut, withoutSignal } from './missing-signal.js';
import { comparable, type ObservedValue } from './observed-value.js';
import { answer, groundedIn, type OracleAnswer } from './oracle-answer.js';
import { compilePattern, matchesIn } from '../pattern/safe-pattern.js';
import { decide, survivesCut, takeValues } from './taken-values.js';

/** Lines of the observation protocol are the script's own words, not the subject's output. */
export function isObservationLine(line: string): boolean {
  return /^OBS\s/.test(line.trimStart());
}

/** Numbers that the pattern's first group captures on the lines of all streams, each with its line. */
function printedNumbers(oracle: OracleOf<'printed'>, view: EvidenceView): ObservedValue[] {
  const pattern = compilePattern(oracle.pattern, oracle.flags);
  return view.streams.flatMap((stream) =>
    stream.lines
      .filter((record) => !isObservationLine(record.line))
      .flatMap((record) =>
        matchesIn(pattern, record.line).map((match) => ({
          seq: record.seq,
          value: comparable((match.group ?? '').replace(/[,%;)\]]$/, '')),
          text: record.line,
        })),
      )
      .filter((one) => typeof one.value === 'number'),
  );
}

/** Shown when the numbers that the subject prints hold the relation. */
export function evaluatePrinted(oracle: OracleOf<'printed'>, view: EvidenceView): OracleAnswer {
  const numbers = printedNumbers(oracle, view);
  const taken = numbers.length > 0 ? takeValues(numbers, oracle.take) : null;
  if (!taken) return withoutSignal(view, answer('undecided', [], 'the number was never printed'));
  const holds = decide(taken, oracle.op, oracle.right, { absolute: oracle.absolute });
  // Of many numbers those that hold the relation are worth showing.
  const telling = taken.from.filter(
    (one) =>
      decide({ values: [one.value], quantifier: 'every', from: [] }, oracle.op, oracle.right, { absolute: oracle.absolute }) === holds,
  );
  const grounding = (telling.length > 0 ? telling : taken.from).slice(0, 5).map((one) => groundedIn(one.seq, one.text));
  if (holds === null) return answer('undecided', grounding, 'the printed value is not a number');
  if (wasCut(view) && !survivesCut(oracle.take, oracle.op, holds))
    return answer('undecided', grounding, `${cutNote(view)} before the series was whole`);
  return answer(holds ? 'shown' : 'absent', grounding);
}
