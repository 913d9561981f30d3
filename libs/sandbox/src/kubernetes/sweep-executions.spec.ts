import { afterEach, describe, expect, it } from 'vitest';
import { LABELS } from './labels.js';
import { sweepExecutions } from './sweep-executions.js';
import type { WorkflowFate } from './sweep-plan.js';
import { json, startFaultyServer, statusReply } from './testing/faulty-server.js';
import type { FaultyServer, Reply } from './testing/faulty-server.js';

let there: FaultyServer | undefined;
afterEach(async () => {
  await there?.close();
  there = undefined;
});

const FUTURE = new Date(Date.now() + 3_600_000).toISOString();
const root = (name: string) => ({
  metadata: {
    ...{ name, uid: `uid-${name}` },
    labels: { [LABELS.execution]: name, [LABELS.runToken]: `run-${name}` },
    annotations: { [LABELS.workflowId]: 'w', [LABELS.notAfter]: FUTURE },
  },
});
const page = (items: object[], next = ''): Reply => json(200, { items, metadata: { continue: next } });
const NONE = [page([]), page([]), page([]), page([])];

async function sweep(replies: Reply[], fate: (runToken: string) => Promise<WorkflowFate> = () => Promise.resolve('closed')) {
  there = await startFaultyServer(...replies);
  const deps = { connection: there.connect(), namespace: 'reenact-runs', timeoutMilliseconds: 20_000, now: () => Date.now() };
  return sweepExecutions(deps, { fateOf: ({ runToken }) => fate(runToken), signal: new AbortController().signal });
}

const deletions = () => there?.requests.filter(({ method }) => method === 'DELETE') ?? [];

describe('a sweep', () => {
  it('reads all pages of names alone, the roots last, and deletes the very objects that it saw', async () => {
    const done = await sweep([...NONE, page([root('xa')], 'more'), page([root('xb')]), json(200, {})]);
    expect(done).toEqual({ removed: 2, kept: 0, findings: [] });
    const lists = there?.requests.filter(({ method }) => method === 'GET') ?? [];
    expect(lists.map(({ path }) => path.split('/').at(-1))).toEqual([
      ...['pods', 'jobs', 'services', 'networkpolicies', 'configmaps', 'configmaps'],
    ]);
    expect(lists.every(({ headers }) => headers.accept?.includes('PartialObjectMetadataList') === true)).toBe(true);
    expect(lists[5]?.query).toMatchObject({ continue: 'more', labelSelector: expect.stringContaining(LABELS.execution) as string });
    expect(deletions().map(({ path, body }) => [path.split('/').at(-1), JSON.parse(body)])).toEqual(
      ['xa', 'xb'].map((name) => [
        name,
        { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background', preconditions: { uid: `uid-${name}` } },
      ]),
    );
  });

  it('keeps those whose workflow runs', async () => {
    const fate = (runToken: string) => Promise.resolve<WorkflowFate>(runToken === 'run-xa' ? 'open' : 'closed');
    expect(await sweep([...NONE, page([root('xa'), root('xb')]), json(200, {})], fate)).toMatchObject({ removed: 1, kept: 1 });
    expect(deletions().map(({ path }) => path.split('/').at(-1))).toEqual(['xb']);
  });

  it('deletes nothing where nobody knows what became of the workflows', async () => {
    await expect(sweep([...NONE, page([root('xa')])], () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(deletions()).toEqual([]);
  });

  it('goes on past one that cannot be deleted, and takes one that is gone or new for done', async () => {
    const refused = statusReply(403, 'Forbidden', 'no');
    const gone = statusReply(404, 'NotFound', 'gone');
    const other = statusReply(409, 'Conflict', 'the UID in the precondition does not match');
    const done = await sweep([...NONE, page([root('xa'), root('xb'), root('xc')]), refused, gone, other]);
    expect(done).toEqual({ removed: 2, kept: 0, findings: ['configmaps xa could not be deleted: no'] });
  });

  it('says what it could not list, and has a bounded report', async () => {
    await expect(sweep([statusReply(403, 'Forbidden', 'no')])).rejects.toMatchObject({ code: 'cluster-unreachable' });
    await there?.close();
    const many = Array.from({ length: 30 }, (_, index) => root(`x${index}`));
    const { findings } = await sweep([...NONE, page(many), statusReply(403, 'Forbidden', 'no')]);
    expect(findings).toHaveLength(21);
    expect(findings.at(-1)).toBe('and 10 more');
  });
});
