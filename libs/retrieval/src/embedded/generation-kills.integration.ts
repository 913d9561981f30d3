import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sweepKills } from '@reenact/store/testing';
import { createEngineKills } from '../testing/engine-kills.js';

const KILLS = { killsPerPoint: 3, killsByClock: 10 };
let scratch = '';

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'generation-kills-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

it('holds one whole state after a kill at any write and at any moment, and publishes again', async () => {
  const engine = await createEngineKills(scratch);
  const counts = await sweepKills(engine, KILLS);
  const byClock = counts.pop();
  expect(counts).toEqual(engine.points.map((point) => ({ point, kills: KILLS.killsPerPoint, differing: [] })));
  expect(byClock).toMatchObject({ kills: KILLS.killsByClock, differing: [] });
}, 600_000);
