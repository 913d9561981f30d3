import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { embedBest, hashText } from './embed-best.js';
import type { EmbedProgress } from './embed-best.js';
import { openEmbeddingCache } from './embedding-cache.js';
import { createHashedEmbedder } from './testing/hashed-embedder.js';

let folder = '';
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'reenact-embeddings-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (largestBytes = 1e9, now: () => number = () => 0) =>
  openEmbeddingCache(path.join(folder, 'cache.sqlite'), { largestBytes, now });
const chunks = (count: number) => Array.from({ length: count }, (_, index) => `def f${index}(): return ${index}`);
const all = (texts: string[]) => ({ texts, best: texts.keys() });

describe('embedBest', () => {
  it('embeds a chunk that did not change no second time: not after it is opened again, in another tree or at another place', async () => {
    const texts = chunks(100);
    const first = createHashedEmbedder();
    const cache = open();
    const before = await embedBest({ embedder: first, cache }, all(texts));
    expect(first.embedded).toHaveLength(100);
    cache.close();
    const again = createHashedEmbedder();
    const reopened = open();
    const changed = ['def new(): pass', ...texts.toReversed().slice(1)];
    const after = await embedBest({ embedder: again, cache: reopened }, all(changed));
    expect(again.embedded).toEqual(['def new(): pass']);
    expect(after.vectors[1]).toEqual(before.vectors[98]);
    expect(await embedBest({ embedder: again, cache: reopened }, all(texts))).toEqual({ ...before, embedded: 0 });
    reopened.close();
  });

  it('embeds equal texts once, and each gets the vector', async () => {
    const embedder = createHashedEmbedder();
    const cache = open();
    const { vectors, embedded } = await embedBest({ embedder, cache }, all(['a', 'b', 'a', 'a']));
    cache.close();
    expect(embedder.embedded).toEqual(['a', 'b']);
    expect(embedded).toBe(2);
    expect(vectors[2]).toEqual(vectors[0]);
  });

  it('asks another model anew', async () => {
    const cache = open();
    await embedBest({ embedder: createHashedEmbedder(), cache }, all(['a']));
    const other = createHashedEmbedder('another');
    await embedBest({ embedder: other, cache }, all(['a']));
    cache.close();
    expect(other.embedded).toEqual(['a']);
  });

  it('embeds the best of the limit and says of the rest that it is pending', async () => {
    const embedder = createHashedEmbedder();
    const cache = open();
    const { vectors, pending } = await embedBest({ embedder, cache }, { texts: chunks(10), best: [7, 3, 9], limit: 2 });
    cache.close();
    expect(vectors.map((vector, index) => (vector === null ? -1 : index)).filter((index) => index >= 0)).toEqual([3, 7]);
    expect(pending).toBe(8);
  });

  it('tells how far it is and how long it takes', async () => {
    const told: EmbedProgress[] = [];
    let time = 0;
    const cache = open();
    await embedBest({ embedder: createHashedEmbedder(), cache }, all(chunks(96)), {
      onProgress: (it) => told.push(it),
      now: () => (time += 1000),
    });
    cache.close();
    expect(told).toEqual([
      { done: 0, total: 96, secondsLeft: null },
      { done: 32, total: 96, secondsLeft: 2 },
      { done: 64, total: 96, secondsLeft: 1 },
      { done: 96, total: 96, secondsLeft: 0 },
    ]);
  });

  it('goes on after an abort where it stood', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const cache = open();
    const ended = embedBest({ embedder: createHashedEmbedder(), cache }, all(chunks(100)), {
      signal: controller.signal,
      onProgress: ({ done }) => done >= 64 && controller.abort(reason),
    });
    await expect(ended).rejects.toBe(reason);
    const later = createHashedEmbedder();
    await embedBest({ embedder: later, cache }, all(chunks(100)));
    cache.close();
    expect(later.embedded).toEqual(chunks(100).slice(64));
  });
});

describe('openEmbeddingCache', () => {
  const model = { digest: 'm', dimensions: 4 };
  const vector = (first: number) => Float32Array.of(first, 0, 0, 0);
  const many = (from: number, count: number) =>
    new Map(Array.from({ length: count }, (_, index) => [hashText(String(from + index)), vector(from + index)] as const));

  it('keeps within its bound what was used last', () => {
    let day = 0;
    const cache = open(200_000, () => day * 86_400);
    cache.put(model, many(0, 500));
    day = 1;
    cache.put(model, many(500, 500));
    day = 2;
    const used = [...many(0, 500).keys()].slice(0, 100);
    expect(cache.get(model, used).size).toBe(100);
    for (let round = 0; round < 4; round++) cache.put(model, many(1000 + round * 250, 250));
    expect(cache.size().bytes).toBeLessThanOrEqual(200_000);
    expect(cache.size().vectors).toBeGreaterThan(500);
    expect(cache.get(model, used).size).toBe(100);
    expect(cache.get(model, [...many(100, 400).keys()]).size).toBe(0);
    cache.close();
  });

  it('refuses a vector of another length, and then keeps none of its batch', () => {
    const cache = open();
    const batch = new Map([...many(0, 2), [hashText('odd'), new Float32Array(3)] as const]);
    expect(() => cache.put(model, batch)).toThrow(RangeError);
    expect(cache.size().vectors).toBe(0);
    cache.close();
  });

  it('begins anew where its file is damaged, and says so', () => {
    writeFileSync(path.join(folder, 'cache.sqlite'), 'not a database, but as long as the header of one would be'.repeat(100));
    const told: string[] = [];
    const cache = openEmbeddingCache(path.join(folder, 'cache.sqlite'), { largestBytes: 1e9, report: (message) => told.push(message) });
    cache.put(model, many(0, 1));
    expect(cache.size().vectors).toBe(1);
    expect(told).toHaveLength(1);
    cache.close();
  });

  it('takes writes of several processes, and loses no finished batch of one that is killed', { timeout: 120_000 }, async () => {
    const file = path.join(folder, 'cache.sqlite');
    const program = `import { openEmbeddingCache } from ${JSON.stringify(new URL('./embedding-cache.ts', import.meta.url).href)};
      import { createHash } from 'node:crypto';
      const cache = openEmbeddingCache(${JSON.stringify(file)}, { largestBytes: 1e9 });
      for (let batch = 0; ; batch++) {
        const keys = Array.from({ length: 10 }, (_, index) => createHash('sha256').update(process.argv[1] + batch + '-' + index).digest('hex'));
        cache.put({ digest: 'm', dimensions: 4 }, new Map(keys.map((key) => [key, Float32Array.of(1, 0, 0, 0)])));
        process.stdout.write(String(batch) + '\\n');
      }`;
    const finished = await Promise.all(['a', 'b'].map((name) => writeUntilKilled(program, name)));
    const cache = openEmbeddingCache(file, { largestBytes: 1e9 });
    for (const [index, name] of ['a', 'b'].entries()) {
      const last = finished[index]!;
      const keys = Array.from({ length: 10 * (last + 1) }, (_, place) => hashText(`${name}${Math.floor(place / 10)}-${place % 10}`));
      expect(cache.get(model, keys).size).toBe(keys.length);
    }
    expect(cache.size().vectors % 10).toBe(0);
    cache.close();
  });
});

/** Runs a writer and kills it after five batches; tells the last batch that it said was written. */
function writeUntilKilled(program: string, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, name], { stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    let errors = '';
    child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()));
    child.stdout.on('data', (bytes: Buffer) => {
      printed += bytes.toString();
      if (printed.split('\n').length > 5) child.kill('SIGKILL');
    });
    child.on('exit', (_, signal) => {
      const batches = printed.split('\n').slice(0, -1);
      if (signal === 'SIGKILL' && batches.length > 0) resolve(Number(batches.at(-1)));
      else reject(new Error(errors));
    });
  });
}
