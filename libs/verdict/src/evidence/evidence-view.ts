import type { EvidenceOf, EvidenceRecord, Frame } from '@reenact/domain';

/** One output channel of one process: streams are never merged before judging (verdict.md section 3). */
export interface StreamView {
  pid: number | undefined;
  rank: number | undefined;
  step: number | undefined;
  channel: 'stdout' | 'stderr';
  lines: EvidenceOf<'stream'>[];
}

/** What ended a trial before its script was done: a limit of ours, or nothing. */
export type CutReason = Exclude<EvidenceOf<'exit'>['endedBy'], 'self' | 'peer'>;

/** A trial's evidence, indexed once and read by every oracle. Records keep their order. */
export interface EvidenceView {
  records: readonly EvidenceRecord[];
  streams: readonly StreamView[];
  observations: readonly EvidenceOf<'obs'>[];
  /** Exceptions that the supervisor does not contradict. */
  exceptions: readonly EvidenceOf<'exception'>[];
  /** Probe records that the supervisor contradicts: never judged, only named. */
  voidExceptions: readonly EvidenceOf<'exception'>[];
  warnings: readonly EvidenceOf<'warning'>[];
  /** One per first-level process. */
  exits: readonly EvidenceOf<'exit'>[];
  stalls: readonly EvidenceOf<'stall'>[];
  stacks: readonly EvidenceOf<'stack'>[];
  /** Dumps of the fault handler, one per process that a fatal signal hit. */
  crashes: readonly EvidenceOf<'crash'>[];
  notices: readonly EvidenceOf<'notice'>[];
  /** Watched files as the trial left them. */
  files: readonly EvidenceOf<'file'>[];
  /** Parent of each interpreter that is known, by pid; helpers of multiprocessing left out. */
  parents: ReadonlyMap<number, number>;
  /** True where the probe ran in at least one interpreter. */
  probeAlive: boolean;
  /** A limit that ended the trial, `hang` and `cancel` included; null where every process ended by itself. */
  cutBy: CutReason | null;
  /** Subject files whose code was loaded or ran, or that appear in a frame. */
  subjectFiles: ReadonlySet<string>;
}

function ofKind<K extends EvidenceRecord['kind']>(records: readonly EvidenceRecord[], kind: K): EvidenceOf<K>[] {
  return records.filter((record): record is EvidenceOf<K> => record.kind === kind);
}

function groupStreams(records: readonly EvidenceRecord[]): StreamView[] {
  const byKey = new Map<string, StreamView>();
  for (const record of ofKind(records, 'stream')) {
    const key = `${record.pid ?? ''}/${record.rank ?? ''}/${record.step ?? ''}/${record.channel}`;
    const stream = byKey.get(key);
    if (stream) stream.lines.push(record);
    else byKey.set(key, { pid: record.pid, rank: record.rank, step: record.step, channel: record.channel, lines: [record] });
  }
  return [...byKey.values()];
}

/**
 * An uncaught exception of a first-level process ends it with a status other than 0. A probe record that says otherwise
 * is contradicted by the supervisor, whatever the streams show: text is the script's own. Children below the first level
 * have no exit record of the supervisor, so nothing contradicts theirs.
 */
function isContradicted(exception: EvidenceOf<'exception'>, exits: readonly EvidenceOf<'exit'>[]): boolean {
  if (exception.source !== 'probe' || exception.how !== 'uncaught') return false;
  const exit = exits.find((candidate) => candidate.pid !== undefined && candidate.pid === exception.pid);
  return exit !== undefined && exit.endedBy === 'self' && exit.code === 0;
}

function filesOfFrames(frames: readonly Frame[]): string[] {
  return frames.filter((frame) => frame.place === 'subject').map((frame) => frame.file);
}

/** Subject files that one record names as loaded, run or on a stack. */
function subjectFilesIn(record: EvidenceRecord): string[] {
  switch (record.kind) {
    case 'modules':
      return record.loaded.map((module) => module.file);
    case 'coverage':
      return record.files.filter((file) => file.lines.length > 0).map((file) => file.file);
    case 'exception':
    case 'crash':
      return filesOfFrames(record.frames);
    case 'stack':
      return record.threads.flatMap((thread) => filesOfFrames(thread.frames));
    default:
      return [];
  }
}

const HELPER_PROCESS = /resource_tracker|semaphore_tracker|multiprocessing\.forkserver/;

/** Whether an interpreter is a helper of multiprocessing and runs no code of the trial. */
export function isHelperProcess(record: EvidenceOf<'process'>): boolean {
  return HELPER_PROCESS.test(record.argv.join(' '));
}

function parentsOf(records: readonly EvidenceRecord[]): Map<number, number> {
  const parents = new Map<number, number>();
  const helpers = new Map<number, number>();
  for (const record of ofKind(records, 'process')) {
    if (record.pid === undefined || record.parent === undefined || record.pid === record.parent) continue;
    (isHelperProcess(record) ? helpers : parents).set(record.pid, record.parent);
  }
  // What a fork server starts is the child of the process that asked for it.
  for (const [pid, parent] of parents) parents.set(pid, helpers.get(parent) ?? parent);
  return parents;
}

/** Indexes the records of one trial. Pure; the order of the records is kept everywhere. */
export function createEvidenceView(records: readonly EvidenceRecord[]): EvidenceView {
  const exits = ofKind(records, 'exit');
  const allExceptions = ofKind(records, 'exception');
  const cutBy = exits.map((exit) => exit.endedBy).find((endedBy) => endedBy !== 'self' && endedBy !== 'peer');
  return {
    records,
    streams: groupStreams(records),
    observations: ofKind(records, 'obs'),
    exceptions: allExceptions.filter((exception) => !isContradicted(exception, exits)),
    voidExceptions: allExceptions.filter((exception) => isContradicted(exception, exits)),
    warnings: ofKind(records, 'warning'),
    exits,
    stalls: ofKind(records, 'stall'),
    stacks: ofKind(records, 'stack'),
    crashes: ofKind(records, 'crash'),
    notices: ofKind(records, 'notice'),
    files: ofKind(records, 'file'),
    parents: parentsOf(records),
    probeAlive: records.some((record) => record.source === 'probe'),
    cutBy: cutBy ?? null,
    subjectFiles: new Set(records.flatMap(subjectFilesIn)),
  };
}
