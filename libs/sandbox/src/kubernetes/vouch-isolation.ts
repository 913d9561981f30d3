import type { EvidenceRecord } from '@reenact/domain';
import { parseEvidence } from '../evidence-reader.js';
import { assertCanaryAnswers, isIsolationProven } from './canary.js';
import type { CanaryCheck, Endpoint } from './canary.js';
import { classified } from './outcome-class.js';
import type { ExecutionResult } from './run-execution.js';
import type { Timings } from './timings.js';

const TIMEOUT_MILLISECONDS = 10_000;

/**
 * What a pod is told to try, from a canary that answers now; null where the cluster has none.
 *
 * @throws AppError `cluster-unreachable` where it does not answer.
 */
export async function canaryNow(endpoint: Endpoint | null, timings: Timings, signal: AbortSignal): Promise<CanaryCheck | null> {
  if (endpoint === null) return null;
  return { ...(await assertCanaryAnswers(endpoint, TIMEOUT_MILLISECONDS, signal)), budgetSeconds: timings.policySeconds };
}

/**
 * A result that may be judged, only if its pod was shown to be cut off while the canary was there; another process that answers now says
 * that it was not there all the time. Where the cluster has no canary nothing is asked.
 *
 * @throws AppError `cluster-unreachable` where the canary does not answer now.
 */
export async function vouchIsolation(result: ExecutionResult, endpoint: Endpoint | null, signal: AbortSignal): Promise<ExecutionResult> {
  if (endpoint === null || result.evidence === null) return result;
  const after = await assertCanaryAnswers(endpoint, TIMEOUT_MILLISECONDS, signal);
  if (isIsolationProven(isolationOf(parseEvidence(result.evidence)), after)) return result;
  const words = 'the pod did not miss the canary that answers now: another may have stood in its place';
  return { ...result, evidence: null, classification: classified('infra-isolation', words) };
}

function isolationOf([begin]: readonly EvidenceRecord[]): string[] {
  return begin?.kind === 'begin' ? begin.isolation : [];
}
