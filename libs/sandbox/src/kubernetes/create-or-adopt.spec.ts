import { afterEach, describe, expect, it } from 'vitest';
import { createOrAdopt } from './create-or-adopt.js';
import { executionObjects } from './execution-objects.js';
import { cut, json, startFaultyServer, statusReply } from './testing/faulty-server.js';
import type { FaultyServer, Reply } from './testing/faulty-server.js';
import { executionSpec } from './testing/specs.js';

let there: FaultyServer | undefined;
afterEach(async () => {
  await there?.close();
  there = undefined;
});

const { job } = executionObjects(executionSpec(), new Date(0));
const other = executionObjects(executionSpec({ ranks: 2 }), new Date(0)).job;
const conflict = statusReply(409, 'AlreadyExists', 'jobs already exists');
const stored = (from = job, more: object = {}): Reply => json(200, { ...from, metadata: { ...from.metadata, uid: 'u1', ...more } });

async function make(replies: Reply[], retries = 3, signal = new AbortController().signal): Promise<unknown> {
  there = await startFaultyServer(...replies);
  return createOrAdopt(there.connect(), job, { signal, retries, timeoutMilliseconds: 20_000, backoff: { first: 1, most: 2 } });
}

describe('an object that is to be there', () => {
  it('is made, with strict checks and under the executor’s name', async () => {
    expect(await make([stored()])).toEqual({ made: 'created', uid: 'u1' });
    expect(there?.requests[0]).toMatchObject({
      ...{ method: 'POST', path: '/apis/batch/v1/namespaces/reenact-runs/jobs' },
      query: { fieldManager: 'reenact-executor', fieldValidation: 'Strict' },
    });
  });

  it('is adopted when it is there already and the same', async () => {
    expect(await make([conflict, stored()])).toEqual({ made: 'adopted', uid: 'u1' });
    expect(there?.requests[1]?.path).toBe(`/apis/batch/v1/namespaces/reenact-runs/jobs/${job.metadata.name}`);
  });

  it('is adopted too when it was made by a request whose answer was lost', async () => {
    expect(await make([cut, conflict, stored()])).toEqual({ made: 'adopted', uid: 'u1' });
    expect(there?.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
  });

  it('is lost when it is being deleted, or was between two answers: never made again under its name', async () => {
    expect(await make([conflict, stored(job, { deletionTimestamp: '2026-05-01T10:00:00Z' })])).toEqual({ made: 'lost' });
    await there?.close();
    expect(await make([conflict, statusReply(404, 'NotFound', 'gone')])).toEqual({ made: 'lost' });
  });

  it('is a fault of ours when something else has its name', async () => {
    for (const reply of [stored(other), json(200, { metadata: { uid: 'u1', name: job.metadata.name } })]) {
      await expect(make([conflict, reply])).rejects.toMatchObject({
        code: 'internal',
        message: expect.stringContaining('something else') as string,
      });
      await there?.close();
    }
  });

  it('waits where there is no room', async () => {
    expect(await make([statusReply(403, 'Forbidden', 'jobs is forbidden: exceeded quota: q, requested: count/jobs=1')])).toMatchObject({
      made: 'no-room',
    });
  });

  it.each([
    [403, 'Forbidden'],
    [422, 'Invalid'],
    [400, 'BadRequest'],
    [404, 'NotFound'],
  ])('is not asked for again when the server refuses it (%d)', async (code, reason) => {
    await expect(make([statusReply(code, reason, 'no')])).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining(`${reason}: no`) as string,
    });
    expect(there?.requests.length).toBe(1);
  });

  it('is asked for again while the server cannot answer, and given up after the tries', async () => {
    expect(await make([statusReply(429, 'TooManyRequests', 'x'), statusReply(503, 'x', 'x'), cut, stored()])).toMatchObject({
      made: 'created',
    });
    await there?.close();
    await expect(make([statusReply(500, 'InternalError', 'etcd')], 2)).rejects.toMatchObject({
      code: 'cluster-unreachable',
      message: expect.stringContaining('InternalError: etcd') as string,
    });
    expect(there?.requests.length).toBe(3);
    await there?.close();
    await expect(make([cut], 1)).rejects.toMatchObject({ code: 'cluster-unreachable' });
  });

  it('is not made when it is no longer wanted', async () => {
    await expect(make([stored()], 3, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    expect(there?.requests.length).toBe(0);
  });
});
