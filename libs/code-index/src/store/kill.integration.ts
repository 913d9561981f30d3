import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isKilled, sweepKills } from '@reenact/store/testing';
import { createIndexKills } from '../testing/index-kills.js';
import type { IndexKills } from '../testing/index-kills.js';

const KILLS = { killsPerPoint: 3, killsByClock: 10 };
/** A kill and the look at what it left take a second on a free machine and ten on a busy one. */
const TIMEOUT_MILLISECONDS = 1_200_000;

let scratch = '';
let index: IndexKills;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'index-kill-'));
  index = await createIndexKills(scratch);
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe('an index under SIGKILL', () => {
  it(
    'equals a clean build after every kill, at every kind of write and at random times',
    async () => {
      const counts = await sweepKills(index, KILLS);
      const byClock = counts.pop();
      expect(counts).toEqual(index.points.map((point) => ({ point, kills: KILLS.killsPerPoint, differing: [] })));
      expect(byClock?.differing).toEqual([]);
    },
    TIMEOUT_MILLISECONDS,
  );

  it('goes on where a killed run stopped', async () => {
    const inTheSecondBatch = { point: 'record', round: 4 };
    await index.prepare(inTheSecondBatch);
    expect(await isKilled(index.start(inTheSecondBatch))).toBe(true);
    expect(await index.unparsed()).toBe(index.files - 200);
  });
});
