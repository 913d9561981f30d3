import type { EvidenceRecord } from '@reenact/domain';

/** What a failed attempt showed, small enough for a repair rule or a prompt. */
export interface EvidenceSummary {
  exceptions: {
    type: string;
    message: string;
    raisedIn: string;
    frames: { file: string; line?: number | undefined; function?: string | undefined }[];
    rank?: number | undefined;
  }[];
  stdoutTail: string[];
  stderrTail: string[];
  observations: Record<string, unknown>[];
  exitCode: number | null;
  signal: string | null;
  endedBy: string | null;
  stalled: boolean;
}

const TAIL_LINES = 60;
const LINE_LENGTH = 500;
const MAX_OBSERVATIONS = 60;
const MAX_EXCEPTIONS = 6;
const MAX_FRAMES = 12;

/** Reduces a trial's evidence to the last lines, observations, exceptions and the way it ended. Pure. */
export function summarizeEvidence(records: EvidenceRecord[]): EvidenceSummary {
  const summary: EvidenceSummary = {
    exceptions: [],
    stdoutTail: [],
    stderrTail: [],
    observations: [],
    exitCode: null,
    signal: null,
    endedBy: null,
    stalled: false,
  };
  for (const record of records) addRecord(summary, record);
  summary.stdoutTail = summary.stdoutTail.slice(-TAIL_LINES);
  summary.stderrTail = summary.stderrTail.slice(-TAIL_LINES);
  summary.observations = summary.observations.slice(-MAX_OBSERVATIONS);
  return summary;
}

function addRecord(summary: EvidenceSummary, record: EvidenceRecord): void {
  if (record.kind === 'stream') {
    const rank = record.rank === undefined ? '' : `[rank ${record.rank}] `;
    (record.channel === 'stdout' ? summary.stdoutTail : summary.stderrTail).push(rank + record.line.slice(0, LINE_LENGTH));
  } else if (record.kind === 'exception' && summary.exceptions.length < MAX_EXCEPTIONS) {
    const frames = record.frames.slice(-MAX_FRAMES).map(({ file, line, function: name }) => ({ file, line, function: name }));
    summary.exceptions.push({
      type: record.type,
      message: record.message.slice(0, 2000),
      raisedIn: record.raisedIn,
      frames,
      rank: record.rank,
    });
  } else if (record.kind === 'obs') summary.observations.push(record.values);
  else if (record.kind === 'stall') summary.stalled = true;
  else if (record.kind === 'exit' && (summary.endedBy === null || record.code !== 0)) {
    summary.exitCode = record.code;
    summary.signal = record.signal;
    summary.endedBy = record.endedBy;
  }
}
