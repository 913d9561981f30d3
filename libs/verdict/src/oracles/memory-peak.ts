import type { EvidenceOf, OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { wasCut, withoutSignal } from './missing-signal.js';
import { observedLines } from './observed-line.js';
import { answer, groundedIn, type OracleAnswer, type TrialGrounding, unboundAnswer } from './oracle-answer.js';
import { compareValues } from './observed-value.js';

/** Bounds of a peak: pages that processes share count once per sharer in their sum, so that only a range is known. */
interface Peak {
  least: number;
  most: number;
  grounding: TrialGrounding[];
}

function largest<T>(items: readonly T[], size: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>((best, item) => (best === undefined || size(item) > size(best) ? item : best), undefined);
}

/** What the supervisor saw, or null where neither an exit nor a sample tells. */
function seenPeak(view: EvidenceView): Peak | null {
  const exits = view.exits.filter((exit) => exit.peakRssBytes > 0);
  const samples = view.records.filter((record): record is EvidenceOf<'sample'> => record.kind === 'sample' && record.rssBytes > 0);
  const sizes = [...exits.map((exit) => exit.peakRssBytes), ...samples.map((sample) => sample.rssBytes)];
  if (sizes.length === 0) return null;
  const shares = samples.some((sample) => sample.processes > 1) || view.parents.size > view.exits.length;
  // A rank's exit tells of that process alone; the exit of a lone process may hold the sum over all that it started.
  const single = [
    ...exits.filter((exit) => !shares || exit.rank !== undefined).map((exit) => exit.peakRssBytes),
    ...samples.filter((sample) => sample.processes <= 1).map((sample) => sample.rssBytes),
  ];
  const atOnce = exits.filter((exit) => exit.rank !== undefined).reduce((sum, exit) => sum + exit.peakRssBytes, 0);
  const exit = largest(exits, (one) => one.peakRssBytes);
  const sample = largest(samples, (one) => one.rssBytes);
  return {
    least: Math.max(0, ...single),
    most: Math.max(atOnce, ...sizes),
    grounding: [
      ...(exit ? [groundedIn(exit.seq, `peak ${exit.peakRssBytes} bytes`)] : []),
      ...(sample ? [groundedIn(sample.seq, `${sample.rssBytes} bytes in ${sample.processes} processes`)] : []),
    ],
  };
}

function observedPeak(oracle: OracleOf<'memory_peak'>, view: EvidenceView): Peak | 'missing' | 'no-number' {
  const lines = observedLines(view, oracle.obs ?? '', oracle.where);
  if (lines.length === 0) return 'missing';
  if (!lines.every(({ value }) => typeof value === 'number' && Number.isFinite(value) && value >= 0)) return 'no-number';
  const top = largest(lines, ({ value }) => value as number);
  const peak = Number(top?.value);
  return { least: peak, most: peak, grounding: top ? [groundedIn(top.seq, top.text)] : [] };
}

function judge(oracle: OracleOf<'memory_peak'>, bound: number, peak: Peak, view: EvidenceView): OracleAnswer {
  const holds = [peak.least, peak.most].map((value) => compareValues(value, oracle.op, bound));
  if (holds[0] !== holds[1])
    return answer(
      'undecided',
      peak.grounding,
      `the processes share pages, so that the peak is only known to be ${peak.least} to ${peak.most}`,
    );
  const decided = answer(holds[0] ? 'shown' : 'absent', peak.grounding);
  // A peak that was reached stays reached; one that was not might have been later on.
  const isReached = (oracle.op === '>' || oracle.op === '>=') === holds[0];
  const isWhole = oracle.obs !== undefined && !wasCut(view);
  return isReached || isWhole ? decided : withoutSignal(view, decided);
}

/** Shown when the greatest resident memory that the supervisor saw, or the greatest observed value, holds the bound. */
export function evaluateMemoryPeak(oracle: OracleOf<'memory_peak'>, view: EvidenceView): OracleAnswer {
  if (oracle.bytes === undefined) return unboundAnswer(oracle);
  const peak = oracle.obs === undefined ? seenPeak(view) : observedPeak(oracle, view);
  if (peak === null) return answer('undecided', [], 'neither an exit nor a sample tells of memory');
  if (peak === 'missing') return withoutSignal(view, answer('undecided', [], `the observation ${oracle.obs ?? ''} was never made`));
  if (peak === 'no-number') return answer('undecided', [], `the observation ${oracle.obs ?? ''} is not a size`);
  return judge(oracle, oracle.bytes, peak, view);
}
