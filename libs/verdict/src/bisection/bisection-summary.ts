import type { BisectedPoint, Bisection, BisectionConclusion, BisectionPoint, ProbeResult } from '@reenact/domain';

/** Every point that was tried, in the order of the history, with what its trials said. */
export function triedPoints(points: readonly BisectionPoint[], results: readonly ProbeResult[]): BisectedPoint[] {
  return points.flatMap((point, index) => {
    const own = results.filter((result) => result.point === index);
    if (own.length === 0) return [];
    const counted = own.filter((result) => result.state !== 'skip');
    return {
      ...point,
      shown: counted.filter((result) => result.state === 'shown').length,
      trials: counted.length,
      skipped: own.find((result) => result.state === 'skip')?.reason ?? null,
    };
  });
}

/** The culprit by name. */
export function namedCulprit(points: readonly BisectionPoint[], { culprit }: BisectionConclusion): Bisection['culprit'] {
  if (culprit === null) return null;
  return { candidates: points.slice(culprit.first, culprit.last + 1), probability: culprit.probability };
}

/** The result in one sentence; every number in it is counted or computed. */
export function bisectionSentence(
  points: readonly BisectionPoint[],
  conclusion: BisectionConclusion,
  results: readonly ProbeResult[],
): string {
  const spent = `after ${conclusion.trials} trials over ${points.length} points`;
  switch (conclusion.status) {
    case 'good-end-shows':
      return `The good end, ${points[0]?.label ?? ''}, shows the fault as well; name an older one.`;
    case 'bad-end-absent':
      return `The bad end, ${points.at(-1)?.label ?? ''}, does not show the fault in ${conclusion.trials} trials.`;
    case 'end-not-runnable':
      return `An end of the history could not be tried: ${results.find((result) => result.state === 'skip')?.reason ?? 'no reason is known'}.`;
    case 'found':
    case 'uncertain':
      return `${culpritSentence(points, conclusion)} (${spent}).`;
  }
}

function culpritSentence(points: readonly BisectionPoint[], conclusion: BisectionConclusion): string {
  const culprit = namedCulprit(points, conclusion);
  if (culprit === null) return 'No point is more probable than not to be the first with the fault';
  const names = culprit.candidates.map((point) => point.label);
  const where =
    names.length === 1
      ? `with ${names[0]}`
      : `with one of ${names.length} points, ${names[0]} to ${names.at(-1)}, most of which cannot be tried`;
  const percent = Math.floor(culprit.probability * 1000) / 10;
  if (conclusion.status === 'found') return `The fault came in ${where}: ${percent} %`;
  const odd = conclusion.contradictions.map((index) => points[index]?.label ?? '');
  const why = odd.length > 0 ? `, although ${odd.slice(0, 3).join(', ')} contradicts it` : '';
  return `Uncertain: the fault may have come in ${where}: ${percent} %${why}`;
}
