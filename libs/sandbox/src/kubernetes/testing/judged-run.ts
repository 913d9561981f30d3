import type { EvidenceOf } from '@reenact/domain';
import { parseEvidence } from '../../evidence-reader.js';
import type { ExecutionResult } from '../run-execution.js';
import type { LiveCluster, LiveTrial } from './live-executions.js';

/** An execution with what its evidence says, which was checked whole. */
export interface JudgedRun {
  result: ExecutionResult;
  /** Lines of standard output, in their order. */
  lines: string[];
  exits: EvidenceOf<'exit'>[];
}

/** Runs an execution to its outcome; without evidence there are neither lines nor exits. */
export async function runJudged(live: LiveCluster, trial: LiveTrial): Promise<JudgedRun> {
  const result = await live.run(trial);
  const records = result.evidence === null ? [] : parseEvidence(result.evidence);
  const lines = records.flatMap((record) => (record.kind === 'stream' && record.channel === 'stdout' ? [record.line] : []));
  return { result, lines, exits: records.filter((record) => record.kind === 'exit') };
}
