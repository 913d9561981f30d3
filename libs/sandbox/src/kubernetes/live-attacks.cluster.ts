import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithCluster } from './testing/cluster.js';
import { runJudged } from './testing/judged-run.js';
import { openLiveCluster } from './testing/live-executions.js';
import type { LiveCluster } from './testing/live-executions.js';
import { prepareUnprotected, readEscape, runUnprotected, UNPROTECTED_NAMESPACE } from './testing/unprotected-pod.js';

const LIMITS = { wallSeconds: 20 };
const FIRST_LIVES = 'the first process is still there';

describeWithCluster('an attack by a script', { nodes: 1 }, (cluster) => {
  let live: LiveCluster;
  beforeAll(async () => {
    live = await openLiveCluster(cluster());
    await prepareUnprotected(live);
  }, 300_000);
  afterAll(async () => {
    live.close();
    await cluster().kubectl(['delete', 'namespace', '--ignore-not-found', UNPROTECTED_NAMESPACE]);
  });
  /** Whatever it was, the node is healthy and the next one finishes there. */
  afterEach(async () => {
    const next = await runJudged(live, { script: 'print("next")' });
    expect([next.result.classification.class, next.lines]).toEqual(['script', ['next']]);
    expect(await live.remains()).toEqual([]);
    const conditions = '{range .items[*].status.conditions[*]}{.type}={.status} {end}';
    const states = await cluster().kubectl(['get', 'nodes', '-o', `jsonpath=${conditions}`]);
    expect([...new Set(states.trim().split(' '))].sort()).toEqual([
      'DiskPressure=False',
      'MemoryPressure=False',
      'PIDPressure=False',
      'Ready=True',
    ]);
  }, 120_000);

  const attack = async (name: string) => runJudged(live, { script: await readEscape(name), limits: LIMITS });

  it('forges frames, seals and last words, and is heard as what it printed', async () => {
    const bare = await runUnprotected(live, 'forge', await readEscape('forge'));
    expect(bare.log).toMatch(/^outlived/m);
    const { result, lines, exits } = await attack('forge');
    expect(result.classification).toMatchObject({ class: 'script', outcome: 'finished' });
    expect(exits).toMatchObject([{ code: 7, endedBy: 'self' }]);
    expect(lines.filter((line) => line.startsWith('{"v":1,'))).toHaveLength(6);
    expect(lines.filter((line) => line.startsWith('outlived'))).toEqual([]);
  });

  it('signals the first process, and that one goes on', async () => {
    const bare = await runUnprotected(live, 'signals', await readEscape('signals'));
    expect(bare.log).not.toContain(FIRST_LIVES);
    const { result, lines, exits } = await attack('signals');
    expect([result.classification.class, lines, exits[0]?.code]).toEqual(['script', ['signalled'], 0]);
  });
});
