import { createHash } from 'node:crypto';
import { canonicalJson } from '@reenact/domain';
import type { EvidenceOf } from '@reenact/domain';

/** Why streams are not those of one trial; the message says what differs. */
export class NodesDiffer extends Error {}

/** One BEGIN for all: what isolates every node, the processors of all of them. Throws NodesDiffer. */
export function mergeBegins(begins: readonly EvidenceOf<'begin'>[]): EvidenceOf<'begin'> {
  const first = firstOf(begins);
  requireSame(begins, ({ protocol, sandbox, load }) => [protocol, sandbox, load ?? 0], 'how the trial was run');
  return {
    ...first,
    isolation: first.isolation.filter((part) => begins.every(({ isolation }) => isolation.includes(part))),
    kernel: [...new Set(begins.map(({ kernel }) => kernel))].join(', '),
    cpus: begins.reduce((sum, { cpus }) => sum + cpus, 0),
  };
}

/**
 * The environment that all nodes have alike. The name of a platform holds the kernel, which may be another on another node; the rest of it
 * may not. Throws NodesDiffer.
 */
export function mergeEnvironments(
  environments: readonly EvidenceOf<'environment'>[],
  begins: readonly EvidenceOf<'begin'>[],
): EvidenceOf<'environment'> {
  requireSame(environments, ({ python }) => python, 'the version of Python');
  requireSame(environments, ({ distributions }) => distributions.map((one) => canonicalJson(one)).sort(), 'what is installed');
  requireSame(environments, ({ platform }, node) => platform.replace(begins[node]?.kernel ?? '', ''), 'the platform');
  return firstOf(environments);
}

/** Trees before a trial, which have to be equal. Throws NodesDiffer. */
export function mergeTrees(subjects: readonly EvidenceOf<'subject'>[]): EvidenceOf<'subject'> {
  requireSame(subjects, ({ treeHash, changed }) => [treeHash, changed], 'the tree before the trial');
  return firstOf(subjects);
}

/** What became of the trees at one moment: every file that changed on any node. Takes its time from the last record. */
export function uniteChanges(subjects: readonly EvidenceOf<'subject'>[]): EvidenceOf<'subject'> {
  const hashes = subjects.map(({ treeHash }) => treeHash);
  const same = new Set(hashes).size === 1;
  const united = `sha256:${createHash('sha256').update(hashes.join('\n')).digest('hex')}`;
  return {
    ...firstOf(subjects),
    t: Math.max(...subjects.map(({ t }) => t)),
    treeHash: same ? firstOf(subjects).treeHash : united,
    changed: [...new Set(subjects.flatMap(({ changed }) => changed))].sort(),
  };
}

/**
 * What is left of a watched file, when every node has files of its own: what the nodes agree on that touched it. Where they do not, nothing
 * can be said of its content, and it counts as unreadable.
 */
export function uniteFile(files: readonly EvidenceOf<'file'>[]): EvidenceOf<'file'> {
  const touched = files.filter(({ state, origin }) => origin !== 'same' && !(state === 'absent' && origin === 'new'));
  const [first] = touched;
  if (first === undefined) return files.find(({ state }) => state !== 'absent') ?? firstOf(files);
  if (new Set(touched.map(({ state, sizeBytes, sha256 }) => canonicalJson([state, sizeBytes, sha256]))).size === 1) return first;
  return { ...first, state: 'unreadable', sizeBytes: 0, sha256: null, format: null, ...NO_CONTENT };
}

const NO_CONTENT = { keys: null, keysCut: false, head: null, headCut: false } as const;

function requireSame<T>(records: readonly T[], partOf: (record: T, node: number) => unknown, what: string): void {
  const texts = records.map((record, node) => canonicalJson(partOf(record, node)));
  const other = texts.findIndex((text) => text !== texts[0]);
  if (other !== -1) throw new NodesDiffer(`${what} differs between node 0 and node ${other}`);
}

function firstOf<T>(records: readonly T[]): T {
  const [first] = records;
  if (first === undefined) throw new NodesDiffer('a node has no record of a kind that all have');
  return first;
}
