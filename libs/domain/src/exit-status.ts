import type { Verdict, VerdictState } from './schemas/index.js';

const STATUS: Record<VerdictState, number> = {
  reproduced: 0,
  reproduced_uncontrolled: 0,
  reproduced_unstable: 0,
  partial: 10,
  different_failure: 10,
  not_reproduced: 10,
  not_shown: 10,
  refused: 10,
  model_of_bug: 10,
  fixed: 10,
  not_a_bug: 10,
  needs_info: 11,
  unsupported: 11,
  inconclusive: 11,
  infra_error: 5,
  cancelled: 130,
};

/** Exit status of a verdict (verdict.md section 5): 4 where `inconclusive` comes from a budget that ended. */
export function exitStatus(verdict: Pick<Verdict, 'verdict' | 'reason'>): number {
  return verdict.verdict === 'inconclusive' && verdict.reason?.startsWith('budget') ? 4 : STATUS[verdict.verdict];
}

/** Whether the five-key export says `reproducible: true`: the three states of status 0. */
export function isReproduced(state: VerdictState): boolean {
  return STATUS[state] === 0;
}
