import { AppError } from '@reenact/domain';
import type { EvidenceRecord } from '@reenact/domain';
import { parseEvidence } from '../evidence-reader.js';
import { mergeEvidence } from './merge-evidence.js';
import { mergeRanks } from './merge-ranks.js';
import type { RankOutcome } from './merge-ranks.js';
import { classified } from './outcome-class.js';
import type { Classification } from './outcome-class.js';

/** What came of one pod of an execution. */
export interface PodRun {
  /** Index of the pod in its Job. */
  rank: number;
  classification: Classification;
  /** Its evidence stream; null unless it may be judged. */
  evidence: Uint8Array | null;
  /** When it ended or was first known to be in trouble, in seconds on the executor's clock; null = unknown. */
  endedAtSeconds: number | null;
}

/** What came of an execution of one or many pods. */
export interface JoinedRun {
  classification: Classification;
  /** The pod that decided; null = none did so more than another. */
  rank: number | null;
  /** One stream of all pods; null unless it may be judged. */
  evidence: Uint8Array | null;
}

/**
 * The outcome of an execution from those of all of its pods, and their evidence as one stream. It may be judged only where every pod's may:
 * supervisors give evidence together or not at all, so one that lacks its own was lost on the way. Never throws for what a pod sent.
 *
 * @throws RangeError where there is no pod.
 */
export function joinRanks(runs: readonly PodRun[]): JoinedRun {
  try {
    const { classification, rank } = mergeRanks(runs.map(outcomeOf));
    if (classification.outcome !== 'finished') return { classification, rank, evidence: null };
    const lacking = runs.find(({ evidence }) => evidence === null);
    if (lacking !== undefined) return { classification: faultOf(lacking), rank: lacking.rank, evidence: null };
    const streams = runs.flatMap(({ rank: node, evidence }) => (evidence === null ? [] : [{ node, bytes: evidence }]));
    return { classification, rank, evidence: mergeEvidence(streams) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { classification: classified('harness', error.message), rank: null, evidence: null };
  }
}

function faultOf({ rank, classification }: PodRun): Classification {
  return classification.outcome === 'finished' ? classified('log-incomplete', `pod ${rank} has no evidence`) : classification;
}

function outcomeOf({ rank, classification, evidence, endedAtSeconds }: PodRun): RankOutcome {
  return { rank, classification, endedAtSeconds, script: evidence === null ? 'unknown' : fateOf(parseEvidence(evidence)) };
}

/** How the processes of one pod ended; those that were ended for another pod's sake tell nothing. */
function fateOf(records: readonly EvidenceRecord[]): RankOutcome['script'] {
  const exits = records.filter((record) => record.kind === 'exit').filter(({ endedBy }) => endedBy !== 'peer');
  if (exits.some(({ endedBy }) => endedBy === 'hang')) return 'stuck';
  if (exits.some(({ code }) => code !== 0)) return 'failed';
  return exits.length === 0 ? 'unknown' : 'succeeded';
}
