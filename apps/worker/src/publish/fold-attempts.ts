import type { AttemptRecord, Clause, CoreActivities, Need, VerdictState } from '@reenact/domain';
import { foldRun, needOf, verdictSentence } from '@reenact/verdict';
import type { AttemptJudgement, Bundle, Judgement } from '@reenact/verdict';
import type { Dependencies } from '../dependencies.js';
import { getJson } from '../json-artifacts.js';
import { StoredJudgement } from '../stored-judgement.js';

export type PublishInput = Parameters<CoreActivities['publish']>[0];

/** The judgement that a run's answer is made of, and the attempt that it is about. */
export interface Best {
  judgement: Judgement;
  attempt: AttemptRecord | null;
  /** What is missing here, where that is the answer. */
  needs?: Need[];
}

/** The same with the bundle that the attempt ran. */
export interface BestBundle extends Best {
  bundle: Bundle | null;
}

/** An attempt with its judgement, read back. */
export type JudgedAttempt = AttemptJudgement & { attempt: AttemptRecord };

/** The attempts that were judged, in their order. */
export async function judgedAttempts(deps: Dependencies, input: PublishInput): Promise<JudgedAttempt[]> {
  const judged: JudgedAttempt[] = [];
  for (const attempt of input.attempts) {
    if (attempt.judgement === null) continue;
    const judgement = await getJson(deps.artifacts, attempt.judgement, StoredJudgement);
    judged.push({ attempt, candidate: attempt.candidateId, context: attempt.context, judgement });
  }
  return judged;
}

/** The run's judgement: the attempts folded; what ended the run decides only where no attempt proved anything. */
export function foldAttempts(judged: readonly JudgedAttempt[], input: PublishInput): Best {
  const first = judged[0];
  if (input.scope === 'script' && first !== undefined)
    return withEnding({ judgement: first.judgement, attempt: first.attempt }, input.ended);
  const folded = foldRun(judged, { environmentProbePassed: input.environment !== null });
  const chosen = folded.decidedBy === null ? judged.at(-1) : judged[folded.decidedBy];
  const { verdict, sentence, clauses, reason } = folded;
  const judgement = { ...(chosen?.judgement ?? NOTHING_JUDGED), verdict, sentence, clauses, reason };
  return withEnding({ judgement, attempt: chosen?.attempt ?? null }, input.ended);
}

const NOTHING_JUDGED: Judgement = {
  verdict: 'inconclusive',
  sentence: 'Inconclusive: no attempt was made.',
  rate: { shown: 0, total: 0, low: 0, high: 1 },
  grade: null,
  gradeReason: 'nothing was run',
  depth: 'L0',
  facets: [],
  controls: [],
  findings: [],
  reason: 'attempts',
  trials: 0,
  clauses: [],
  candidates: [],
  expectedRate: 1,
};

const FINAL: ReadonlySet<VerdictState> = new Set(['cancelled', 'infra_error']);

function withEnding(best: Best, ended: PublishInput['ended']): Best {
  if (ended === null) return best;
  if (best.judgement.verdict.startsWith('reproduced') && !FINAL.has(ended.state)) return best;
  const text = `${SENTENCES[ended.state] ?? ended.state}: ${ended.reason.trim().replace(/\.$/, '')}`;
  const clauses: Clause[] = [{ text, joint: '', rests: [{ type: 'run' }] }];
  const judgement = { ...best.judgement, verdict: ended.state, reason: ended.reason, clauses, sentence: verdictSentence(clauses) };
  return ended.state === 'unsupported'
    ? { ...best, judgement, needs: [needOf('dependency', ended.reason.replace(/^dependency: /, ''))] }
    : { ...best, judgement };
}

const SENTENCES: Partial<Record<VerdictState, string>> = {
  cancelled: 'Cancelled',
  infra_error: 'No verdict, since the platform failed',
  inconclusive: 'Inconclusive',
  needs_info: 'Not enough information',
  unsupported: 'Not supported here',
};
