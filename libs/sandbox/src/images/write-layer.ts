import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { AppError } from '@reenact/domain';
import { reading } from './collect-tree.js';
import type { FileSource, LayerEntry } from './layer-entry.js';
import { padding, tarEnd, tarHeader } from './tar-header.js';

const CHUNK_BYTES = 1024 * 1024;
/** Half the time of the usual 6, and 7 % more bytes for a framework. */
export const LAYER_GZIP_LEVEL = 3;

export interface WriteOptions {
  signal: AbortSignal;
  /** Told of the bytes that were archived since the last call. */
  onBytes: (bytes: number) => void;
}

/** What a layer's file became. */
export interface WrittenLayer {
  /** Of the compressed bytes: the blob's name. */
  digest: string;
  /** Of the archive inside, which is equal whatever compressed it. */
  diffId: string;
  bytes: number;
}

/**
 * Writes a compressed archive of the entries, in the order given, to a new file. Equal entries give equal bytes; memory stays small
 * whatever the size.
 * @throws AppError `image-not-buildable` where a file changed or cannot be read; the system's error where the file cannot be written.
 */
export async function writeLayer(entries: readonly LayerEntry[], file: string, { signal, onBytes }: WriteOptions): Promise<WrittenLayer> {
  const inner = createHash('sha256');
  const outer = createHash('sha256');
  const counted = { bytes: 0 };
  await pipeline(
    Readable.from(archive(entries), { objectMode: false, highWaterMark: CHUNK_BYTES }),
    passing((chunk) => {
      inner.update(chunk);
      onBytes(chunk.byteLength);
    }),
    createGzip({ level: LAYER_GZIP_LEVEL, chunkSize: 256 * 1024 }),
    passing((chunk) => {
      outer.update(chunk);
      counted.bytes += chunk.byteLength;
    }),
    createWriteStream(file, { flags: 'wx', flush: true }),
    { signal },
  );
  return { digest: digestOf(outer), diffId: digestOf(inner), bytes: counted.bytes };
}

function digestOf(hash: Hash): string {
  return `sha256:${hash.digest('hex')}`;
}

function passing(see: (chunk: Buffer) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      see(chunk);
      done(null, chunk);
    },
  });
}

/** Small pieces are joined: a stream's step costs more than most files. */
async function* archive(entries: readonly LayerEntry[]): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const piece of pieces(entries)) {
    held.push(piece);
    heldBytes += piece.byteLength;
    if (heldBytes < CHUNK_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    heldBytes = 0;
  }
  yield Buffer.concat([...held, tarEnd()]);
}

async function* pieces(entries: readonly LayerEntry[]): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    yield tarHeader(entry);
    if (entry.kind !== 'file') continue;
    if ('content' in entry.body) {
      yield Buffer.from(entry.body.content);
      yield padding(entry.body.content.byteLength);
    } else {
      yield* fileContent(entry.body);
      yield padding(entry.body.bytes);
    }
  }
}

async function* fileContent(body: FileSource): AsyncGenerator<Buffer> {
  const handle = await reading(body.source, () => open(body.source, 'r'));
  try {
    let offset = 0;
    for (;;) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, body.bytes - offset + 1));
      const { bytesRead } = await reading(body.source, () => handle.read(chunk, 0, chunk.byteLength, offset));
      if (bytesRead === 0) break;
      if (offset + bytesRead > body.bytes) throw changed(body.source);
      yield patched(chunk.subarray(0, bytesRead), offset, body.patch);
      offset += bytesRead;
    }
    if (offset !== body.bytes) throw changed(body.source);
  } finally {
    await handle.close();
  }
}

function changed(source: string): AppError {
  return new AppError('image-not-buildable', `${source} changed while the image was written.`, {
    hint: 'Build again when nobody installs into the environment.',
  });
}

function patched(chunk: Buffer, offset: number, patch: FileSource['patch']): Buffer {
  // A patch lies in a file's first bytes, and so in its first piece.
  if (patch !== undefined && offset === 0) chunk.set(patch.bytes, patch.offset);
  return chunk;
}
