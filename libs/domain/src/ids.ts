import { canonicalJson } from './canonical-json.js';
import { sha256Hex } from './sha256.js';

/** Hex SHA-256 of a value's canonical JSON: the one scheme of content addresses for values. */
export function contentId(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}

/** Short form of a content id for names that people read: the first 12 hex digits. */
export function shortId(value: unknown): string {
  return contentId(value).slice(0, 12);
}

/** Key of a local case: what was reported about what (temporal.md section 3.1). */
export function bugKey(reportDigest: string, treeHash: string): string {
  return shortId({ reportDigest, treeHash });
}

/** Workflow id of a reproduction; equal requests get equal ids, `--force` raises the counter. */
export function reproduceWorkflowId(bug: string, request: string, force = 0): string {
  return force > 0 ? `repro/${bug}/${request}.${force}` : `repro/${bug}/${request}`;
}

/** Workflow id of the loop over one context. */
export function contextWorkflowId(parentId: string, context: number): string {
  return `${parentId}/ctx-${context}`;
}

/** Idempotency key of one trial. `series` keeps the fresh trials of a replay apart from stored ones. */
export function trialId(key: {
  bundleId: string;
  environmentId: string;
  arm: string;
  treeHash: string;
  series: string;
  index: number;
}): string {
  return shortId(key) + `-${key.arm}-${key.index}`;
}
