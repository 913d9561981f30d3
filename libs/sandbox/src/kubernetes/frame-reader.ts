import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { parseJson } from './kube-request.js';
import type { EndFrame } from './rank-observation.js';

/** What the log of a rank has said so far. */
export interface FrameReader {
  /** Takes the next line of the log, without its end. */
  take(line: Uint8Array): void;
  /** Present state; `missing` until the last frame came. */
  end(): EndFrame;
  /** The evidence stream; null unless the end is whole and of kind `finished`. */
  evidence(): Buffer | null;
  /** The newest word of the supervisor; null = none came. */
  heartbeat(): Heartbeat | null;
  /** How long the script ran, in seconds, by the supervisor; 0 before the end. */
  scriptSeconds(): number;
}

export interface Heartbeat {
  /** Seconds since the supervisor began. */
  seconds: number;
  lastLine: string;
  /** Memory in use as a share of the container's limit; null where the system shows none. */
  memoryShare: number | null;
}

/** What evidence may grow to when it is unpacked. */
const MAX_EVIDENCE_BYTES = 256 * 1024 ** 2;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Reads the frames that a supervisor writes to the log of its pod (`supervisor/reenact_supervisor/pod/frames.py`). Anything that is not the
 * frame that was due makes the log broken for good: a line of somebody else, a gap, a second end, a wrong checksum or seal.
 */
export function createFrameReader(nonce: string): FrameReader {
  const digest = createHash('sha256');
  const pieces: string[] = [];
  let frames = 0;
  let end: EndFrame = { state: 'missing' };
  let unpacked: Buffer | null = null;
  let heartbeat: Heartbeat | null = null;
  let scriptSeconds = 0;

  function finish(frame: Record<string, unknown>): void {
    const { kind, podUid, sha256, mac } = frame;
    if ((kind !== 'finished' && kind !== 'stopped') || typeof podUid !== 'string') throw new Error('its end cannot be read');
    if (frame['frames'] !== frames) throw new Error(`its end counts ${String(frame['frames'])} frames, and there are ${frames}`);
    if (sha256 !== digest.copy().digest('hex')) throw new Error('its checksum does not fit');
    const seal = createHmac('sha256', nonce).update(['reenact-end-1', kind, podUid, frames, sha256].join('\n')).digest('hex');
    if (typeof mac !== 'string' || !isSame(mac, seal)) throw new Error('its end is not sealed by the supervisor');
    if (kind === 'finished') unpacked = inflateSync(Buffer.from(pieces.join(''), 'base64'), { maxOutputLength: MAX_EVIDENCE_BYTES });
    if (typeof frame['scriptSeconds'] === 'number') scriptSeconds = frame['scriptSeconds'];
    end = { state: 'whole', podUid, kind };
  }

  function read(line: Uint8Array): void {
    const frame = parseJson(Buffer.from(line).toString('utf8')) as Record<string, unknown> | null;
    if (typeof frame !== 'object' || frame?.['v'] !== 1 || frame['seq'] !== frames)
      throw new Error(`line ${frames + 1} is not its frame ${frames}`);
    if (end.state === 'whole') throw new Error('something follows its end');
    if (frame['ch'] === 'x') finish(frame);
    else if (frame['ch'] === 'e') pieces.push(pieceOf(frame));
    else if (frame['ch'] === 'h') heartbeat = heartbeatOf(frame);
    else throw new Error(`frame ${frames} is of no known kind`);
    digest.update(line).update('\n');
    frames += 1;
  }

  return {
    take(line) {
      if (end.state === 'broken') return;
      try {
        read(line);
      } catch (error) {
        end = { state: 'broken', problem: error instanceof Error ? error.message : String(error) };
      }
    },
    end: () => end,
    evidence: () => (end.state === 'whole' ? unpacked : null),
    heartbeat: () => heartbeat,
    scriptSeconds: () => scriptSeconds,
  };
}

/** Pieces are a multiple of three bytes long but for the last, so that their texts join to one. */
function pieceOf({ data }: Record<string, unknown>): string {
  if (typeof data !== 'string' || !BASE64.test(data)) throw new Error('a piece of its evidence cannot be read');
  return data;
}

function heartbeatOf(frame: Record<string, unknown>): Heartbeat {
  const { t, line, memory } = frame;
  return {
    seconds: typeof t === 'number' ? t : 0,
    lastLine: typeof line === 'string' ? line : '',
    memoryShare: typeof memory === 'number' ? memory : null,
  };
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
