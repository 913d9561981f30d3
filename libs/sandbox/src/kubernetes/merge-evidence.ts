import { AppError } from '@reenact/domain';
import type { EvidenceOf, EvidenceRecord } from '@reenact/domain';
import { parseEvidence } from '../evidence-reader.js';
import { formatEvidence } from '../evidence-writer.js';
import { mergeBegins, mergeEnvironments, mergeTrees, NodesDiffer, uniteChanges, uniteFile } from './merge-heads.js';

/** The evidence stream of one pod of an execution. */
export interface NodeEvidence {
  /** Index of the pod in its Job, from 0. */
  node: number;
  bytes: Uint8Array;
}

/**
 * Added to the process ids of node n: n times this. Linux gives none above 2^22; `pod/group_hang.py` names processes of other nodes in a
 * stall by the same numbers.
 */
export const NODE_PIDS = 10_000_000;

type Kind = EvidenceRecord['kind'];
/** Records that the whole trial has once, before and after all others. */
const HEAD: ReadonlySet<Kind> = new Set(['begin', 'environment']);
const TAIL: ReadonlySet<Kind> = new Set(['file', 'end']);

/**
 * One valid evidence stream from those of all nodes of an execution, as one supervisor would have written it: heads and tails united, all
 * other records once, each node's in its own order and those of several nodes by time, samples as sums over the nodes. The stream of a
 * single node comes back as it is. The order in which streams are given says nothing.
 *
 * @throws AppError `sandbox-failed` where a stream is not whole, a node is missing or twice, or nodes did not run the same trial.
 */
export function mergeEvidence(streams: readonly NodeEvidence[]): Uint8Array {
  const sorted = streams.toSorted((one, other) => one.node - other.node);
  if (sorted.length === 0 || sorted.some(({ node }, index) => node !== index))
    throw refused(`there are streams of nodes ${sorted.map(({ node }) => node).join(', ')}`);
  const parsed = sorted.map(({ bytes }) => parseEvidence(bytes));
  if (parsed.length === 1) return sorted[0]?.bytes ?? new Uint8Array();
  try {
    const { records, leftBehind, endSeconds } = merged(parsed);
    return formatEvidence(records, leftBehind, endSeconds);
  } catch (error) {
    if (error instanceof NodesDiffer) throw refused(error.message);
    throw error;
  }
}

function refused(what: string): AppError {
  return new AppError('sandbox-failed', `the evidence of the nodes does not make one trial: ${what}`, {
    hint: 'the trial is repeated; if it stays so, compare images and nodes of the pool',
  });
}

function merged(nodes: EvidenceRecord[][]): { records: EvidenceRecord[]; leftBehind: number; endSeconds: number } {
  const begins = nodes.map((records) => oneOf(records, 'begin'));
  const ends = nodes.map((records) => oneOf(records, 'end'));
  const trees = (when: 'before' | 'after'): EvidenceOf<'subject'>[] =>
    nodes.map((records) => only(subjectsOf(records).filter((record) => record.when === when)));
  const heads = [
    mergeBegins(begins),
    mergeEnvironments(
      nodes.map((records) => oneOf(records, 'environment')),
      begins,
    ),
    mergeTrees(trees('before')),
  ];
  const body = inOrder(nodes.map((records, node) => records.filter(isBody).map((record) => placed(record, node))));
  return {
    records: [...heads, ...withSums(withSteps(body)), uniteChanges(trees('after')), ...filesOf(nodes)],
    leftBehind: ends.reduce((sum, end) => sum + end.leftBehind, 0),
    endSeconds: Math.max(...ends.map(({ t }) => t)),
  };
}

function isBody(record: EvidenceRecord): boolean {
  if (record.kind === 'subject') return record.when === 'during';
  return !HEAD.has(record.kind) && !TAIL.has(record.kind);
}

/** A record and where it came from. */
interface Placed {
  record: EvidenceRecord;
  node: number;
}

/** Process ids of several machines are made distinct. A stall was agreed on by all nodes and names the processes of all. */
function placed(record: EvidenceRecord, node: number): Placed {
  if (record.kind === 'stall') {
    if (node !== 0) throw new NodesDiffer(`node ${node} found a hang by itself`);
    return { record, node };
  }
  const own = record.pid === undefined ? {} : { pid: pidOf(record.pid, node) };
  if (record.kind !== 'process' || record.parent === undefined) return { record: { ...record, ...own }, node };
  return { record: { ...record, ...own, parent: pidOf(record.parent, node) }, node };
}

function pidOf(pid: number, node: number): number {
  if (pid < 0 || pid >= NODE_PIDS) throw new NodesDiffer(`node ${node} has a process ${pid}`);
  return pid + node * NODE_PIDS;
}

/**
 * Joins streams by time. Records that a probe wrote before the supervisor took them over stand behind later ones, so a record counts as
 * late as the latest before it in its own stream, which keeps every stream's order.
 */
function inOrder(streams: Placed[][]): Placed[] {
  const timed = streams.flatMap((stream) => {
    let latest = -Infinity;
    return stream.map((entry) => ({ entry, key: (latest = Math.max(latest, entry.record.t)) }));
  });
  // A stable sort: of equal times the lower node comes first, and every node keeps its order.
  return timed.toSorted((one, other) => one.key - other.key).map(({ entry }) => entry);
}

/** What the nodes say of their trees at the end of a step becomes one record, where the last of them stood. */
function withSteps(body: Placed[]): Placed[] {
  const bySteps = Map.groupBy(
    body.flatMap(({ record }) => stepEnd(record) ?? []),
    ({ step }) => step,
  );
  return body.flatMap((entry) => {
    const end = stepEnd(entry.record);
    if (end === null) return [entry];
    const all = bySteps.get(end.step) ?? [];
    return all.at(-1) === end ? [{ ...entry, record: uniteChanges(all) }] : [];
  });
}

function stepEnd(record: EvidenceRecord): EvidenceOf<'subject'> | null {
  return record.kind === 'subject' && record.step !== undefined ? record : null;
}

/** Samples are sums over the processes of the whole trial: each becomes the sum of what was last known of every node. */
function withSums(body: Placed[]): EvidenceRecord[] {
  const latest = new Map<number, EvidenceOf<'sample'>>();
  let stacks = 0;
  return body.map(({ record, node }) => {
    if (record.kind === 'stack') return { ...record, number: stacks++ };
    if (record.kind !== 'sample') return record;
    latest.set(node, record);
    const sum = (part: 'rssBytes' | 'cpuSeconds' | 'processes' | 'threads'): number =>
      [...latest.values()].reduce((total, sample) => total + sample[part], 0);
    const cpuSeconds = Math.round(sum('cpuSeconds') * 1e4) / 1e4;
    return { ...record, rssBytes: sum('rssBytes'), cpuSeconds, processes: sum('processes'), threads: sum('threads') };
  });
}

function filesOf(nodes: EvidenceRecord[][]): EvidenceOf<'file'>[] {
  const files = nodes.map((records) => records.filter((record) => record.kind === 'file'));
  const paths = files.map((own) => JSON.stringify(own.map(({ path }) => path)));
  const other = paths.findIndex((text) => text !== paths[0]);
  if (other !== -1) throw new NodesDiffer(`nodes 0 and ${other} looked at other files`);
  return (files[0] ?? []).map((_, index) => uniteFile(files.flatMap((own) => own[index] ?? [])));
}

function subjectsOf(records: EvidenceRecord[]): EvidenceOf<'subject'>[] {
  return records.filter((record) => record.kind === 'subject');
}

function oneOf<K extends Kind>(records: EvidenceRecord[], kind: K): EvidenceOf<K> {
  return only(records.filter((record): record is EvidenceOf<K> => record.kind === kind));
}

function only<T>(found: readonly T[]): T {
  const [first] = found;
  if (first === undefined || found.length > 1) throw new NodesDiffer('a node lacks a record that all have once, or has it twice');
  return first;
}
