import type { Grade } from '@reenact/domain';
import type { JudgedTrial } from '../verification/judged-trial.js';
import type { JudgeInput } from './judge-input.js';

export interface Graded {
  grade: Grade | null;
  reason: string;
}

function describeDistance(distance: NonNullable<JudgeInput['environmentDistance']>): string {
  return distance.map(({ name, asked, got }) => `${name} ${got ?? 'missing'} instead of ${asked}`).join(', ');
}

/**
 * Grade of fidelity (verdict.md section 5), from evidence alone: was code of the subject loaded, are the versions those of
 * the report, was the data real, were there as many ranks. Null where nothing ran, or where no probe tells what did.
 */
export function gradeOf(input: JudgeInput, candidates: readonly JudgedTrial[]): Graded {
  const facts = candidates.flatMap((trial) => (trial.facts ? [trial.facts] : []));
  if (facts.length === 0) return { grade: null, reason: 'no trial finished' };
  const tripped = input.trials.some((trial) => trial.arm === 'tripwire' && trial.sentinelSeen === true);
  const loaded = tripped || facts.some((one) => one.subjectFiles.length > 0 || one.subjectInException);
  if (!loaded && !facts.some((one) => one.probeAlive))
    return { grade: null, reason: 'no probe ran, so that nothing is known about the code that was loaded' };
  if (!loaded) return { grade: 'D', reason: 'no code of the subject was loaded' };
  const ranks = Math.max(...facts.map((one) => one.ranks));
  if (input.data === 'synthetic' || input.data === 'stub') return { grade: 'C', reason: `the subject's code with ${input.data} data` };
  if (input.ranksAsked !== null && ranks < input.ranksAsked)
    return { grade: 'C', reason: `the subject's code with ${ranks} of ${input.ranksAsked} ranks` };
  if (input.environmentDistance === null)
    return { grade: 'B', reason: "the subject's code; how far the environment is from the report's is not known" };
  if (input.environmentDistance.length > 0)
    return { grade: 'B', reason: `the subject's code, with ${describeDistance(input.environmentDistance)}` };
  return { grade: 'A', reason: "the subject's code in the reported versions" };
}
