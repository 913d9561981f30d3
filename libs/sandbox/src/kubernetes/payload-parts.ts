import { createHash } from 'node:crypto';
import { AppError } from '@reenact/domain';

/** A ConfigMap may hold 1 MiB of values; the rest is room for names and for what a server adds. */
export const CONFIG_MAP_BYTES = 900 * 1024;
/** More parts than this are no work for etcd. */
export const MAX_PARTS = 8;

/** One piece of the payload with its checksum, as the supervisor verifies it before it joins them. */
export interface PayloadPart {
  /** Name of the file below the mounted input. */
  file: string;
  bytes: Uint8Array;
  sha256: string;
}

/** What the supervisor is told of the payload. */
export interface PayloadPlan {
  bytes: number;
  sha256: string;
  parts: { file: string; bytes: number; sha256: string }[];
}

/**
 * Cuts a payload into pieces that fit a ConfigMap each; one of 0 bytes has one piece.
 *
 * @throws AppError `config-invalid` where it would take more than 8.
 */
export function cutPayload(payload: Uint8Array): PayloadPart[] {
  const count = Math.max(1, Math.ceil(payload.length / CONFIG_MAP_BYTES));
  if (count > MAX_PARTS)
    throw new AppError(
      'config-invalid',
      `the project packs to ${payload.length} bytes, and at most ${MAX_PARTS * CONFIG_MAP_BYTES} reach a pod through ConfigMaps`,
      { hint: 'leave data and build outputs out of the project, or run this case with the local sandbox' },
    );
  return Array.from({ length: count }, (_, part) => {
    const bytes = payload.subarray(part * CONFIG_MAP_BYTES, (part + 1) * CONFIG_MAP_BYTES);
    return { file: `payload.${part}`, bytes, sha256: sha256(bytes) };
  });
}

/** The plan of a payload's pieces. */
export function planOf(payload: Uint8Array, parts: readonly PayloadPart[]): PayloadPlan {
  return {
    bytes: payload.length,
    sha256: sha256(payload),
    parts: parts.map(({ file, bytes, sha256: digest }) => ({ file, bytes: bytes.length, sha256: digest })),
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
