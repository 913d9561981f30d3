import { describe, expect, it } from 'vitest';
import { openParserPool } from './parser-pool.js';
import type { ParseJob } from './parse-source.js';
import { startParseWorker } from './start-parse-worker.js';

function job(file: string, text: string): ParseJob {
  return { file, kind: 'python', bytes: new TextEncoder().encode(text) };
}

describe('openParserPool', () => {
  it('lays a file aside that kills its thread twice, and parses the others', async () => {
    const pool = openParserPool({ files: 20, bytes: 100 }, 2);
    // Bytes that can be handed over, but that no decoder takes, stand for whatever makes a thread die.
    const deadly = { file: 'deadly.py', kind: 'python', bytes: null as unknown as Uint8Array<ArrayBuffer> } satisfies ParseJob;
    const good = Array.from({ length: 20 }, (_, index) => pool.parse(job(`m${index}.py`, `x = ${index}\n`)));
    const dead = pool.parse(deadly);
    const more = pool.parse(job('after.py', 'y = 1\n'));
    expect(await dead).toEqual({ status: 'skipped', reason: 'unparsable' });
    for (const outcome of await Promise.all([...good, more])) expect(outcome.status).toBe('parsed');
    await pool.close();
  });

  it('refuses work when it is closed, also what was under way', async () => {
    const pool = openParserPool({ files: 1, bytes: 10 }, 1);
    const cut = pool.parse(job('a.py', 'x = 1\n'));
    const refused = expect(cut).rejects.toThrow('closed');
    await pool.close();
    await refused;
    await expect(pool.parse(job('b.py', 'x = 1\n'))).rejects.toThrow('closed');
  });

  it('starts a thread from where this code is: a source or compiled', async () => {
    const worker = startParseWorker();
    expect(await new Promise((resolve) => worker.once('message', resolve))).toBe('ready');
    await worker.terminate();
  });
});
