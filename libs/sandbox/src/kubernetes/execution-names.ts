import { createHash, createHmac } from 'node:crypto';
import { canonicalJson } from '@reenact/domain';
import type { Arm } from '@reenact/domain';

/** What makes one execution: the same key is the same Job, whoever asks for it and however often. */
export interface ExecutionKey {
  namespace: string;
  workflowId: string;
  /** Drawn once per run of a workflow, so that a repeated run meets no Job of an earlier one. */
  runToken: string;
  arm: Arm;
  /** Id of the trial (`trialId` of the domain). */
  trial: string;
  /** Counted by the workflow when the cluster spoiled an execution; an activity that is repeated keeps it. */
  infraAttempt: number;
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
/** 125 bits. The name of a Service begins with a letter (RFC 1035), and `<name>-<rank>` has room in a label of 63. */
const HASH_CHARACTERS = 25;
/** Watches are split over this many values of one label. */
const SHARDS = 16;

/** Name of the execution and of all its objects: `x` and 25 characters of base32 over SHA-256 of the key. */
export function executionName(key: ExecutionKey): string {
  return `x${base32(digestOf(key)).slice(0, HASH_CHARACTERS)}`;
}

/** Name of the ConfigMap that holds a part of the payload; parts count from 0. */
export function partName(execution: string, part: number): string {
  return `${execution}-p${part}`;
}

/** DNS name of a rank's pod below the execution's headless Service; short names do not resolve everywhere. */
export function rankHost(
  execution: string,
  rank: number,
  { namespace, clusterDomain }: { namespace: string; clusterDomain: string },
): string {
  return `${execution}-${rank}.${execution}.${namespace}.svc.${clusterDomain}`;
}

/** Value of the label that watches are split by, `00` to `15`. */
export function shardOf(execution: string): string {
  const [byte] = createHash('sha256').update(execution).digest();
  return String((byte ?? 0) % SHARDS).padStart(2, '0');
}

/**
 * What proves that a frame was written by the supervisor of this execution: HMAC-SHA-256 of its name under a key of the installation, hex.
 * It is no secret to the cluster, only to the script.
 */
export function executionNonce(execution: string, installationKey: Uint8Array): string {
  return createHmac('sha256', installationKey).update(execution).digest('hex');
}

/** Short, label-safe stand-in for a text that may hold anything, such as a workflow's id. */
export function labelDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function digestOf(key: ExecutionKey): Buffer {
  return createHash('sha256').update(canonicalJson(key)).digest();
}

function base32(bytes: Uint8Array): string {
  let bits = 0;
  let held = 0;
  let text = '';
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32.charAt((held >> (bits - 5)) & 31);
    held &= (1 << bits) - 1;
  }
  return text;
}
