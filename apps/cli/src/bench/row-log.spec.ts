import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRows, openRowLog } from './row-log.js';

const ASKED = { bench: 'null', cases: 'here' };
let state: string;

beforeEach(async () => {
  state = await mkdtemp(path.join(tmpdir(), 'reenact-rows-'));
});
afterEach(() => rm(state, { recursive: true, force: true }));

/** Makes rows of numbers, twice as large; fails at `failAt`. @returns what was made anew, and the rows. */
async function run(options: { resume: boolean; failAt?: number; asked?: typeof ASKED }) {
  const log = await openRowLog<number>(state, options.asked ?? ASKED, options);
  const made: number[] = [];
  const told: string[] = [];
  const rows = await makeRows([1, 2, 3, 4], {
    width: 1,
    log,
    keyOf: String,
    make: (value) => {
      if (value === options.failAt) return Promise.reject(new Error('killed'));
      made.push(value);
      return Promise.resolve(value * 2);
    },
    onRow: (row, done, total) => told.push(`${done}/${total} ${row}`),
  });
  return { made, rows, told, log };
}

describe('rows of a bench', () => {
  it('goes on after a kill with what was made, and tells of every row', async () => {
    await expect(run({ resume: false, failAt: 3 })).rejects.toThrow('killed');
    const { made, rows, told } = await run({ resume: true });
    expect(made).toEqual([3, 4]);
    expect(rows).toEqual([2, 4, 6, 8]);
    expect(told).toEqual(['1/4 2', '2/4 4', '3/4 6', '4/4 8']);
  });

  it('forgets earlier rows unless they are asked for, and never takes those of another question', async () => {
    await expect(run({ resume: false, failAt: 3 })).rejects.toThrow('killed');
    expect((await run({ resume: true, asked: { ...ASKED, cases: 'there' } })).made).toEqual([1, 2, 3, 4]);
    expect((await run({ resume: false })).made).toEqual([1, 2, 3, 4]);
  });

  it('does without a line that a kill cut off', async () => {
    await expect(run({ resume: false, failAt: 3 })).rejects.toThrow('killed');
    const [name = ''] = await readdir(path.join(state, 'bench'));
    await appendFile(path.join(state, 'bench', name), '\n{"key":"3","ro');
    expect((await run({ resume: true })).made).toEqual([3, 4]);
    expect((await run({ resume: true })).made).toEqual([]);
  });

  it('leaves nothing behind when it is through', async () => {
    await (await run({ resume: false })).log.finish();
    expect((await run({ resume: true })).made).toEqual([1, 2, 3, 4]);
  });
});
