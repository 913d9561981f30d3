import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseEvidence } from '../evidence-reader.js';
import { describeWithCluster } from '../kubernetes/testing/cluster.js';
import { openLiveCluster } from '../kubernetes/testing/live-executions.js';
import type { LiveCluster } from '../kubernetes/testing/live-executions.js';
import { IMAGE_PYTHON } from './runner-image.js';
import { buildSmallImage, makeSmallEnvironment } from './testing/small-environment.js';

describeWithCluster('a runner image in a cluster', { nodes: 1 }, (cluster) => {
  let live: LiveCluster;
  let scratch = '';
  beforeAll(async () => {
    live = await openLiveCluster(cluster());
    scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'runner-image-')));
  }, 300_000);
  afterAll(async () => {
    live.close();
    await rm(scratch, { recursive: true, force: true });
  });

  it('runs a trial in the environment at its own path, named by the digest that the build gave', async () => {
    const environment = await makeSmallEnvironment(path.join(scratch, 'venv'));
    const layout = path.join(scratch, 'layout');
    const built = await buildSmallImage(environment, { kind: 'host' }, { layout, cacheDirectory: path.join(scratch, 'cache') });
    const reference = (await cluster().bed('image', 'localhost/reenact/run', layout)).trim();
    expect(reference).toBe(`localhost/reenact/run@${built.digest}`);
    const image = { image: reference, interpreter: environment.interpreter, supervisorPython: IMAGE_PYTHON, volumes: [] };
    const script = 'import brought, sys, os\nprint(brought.ANSWER, sys.prefix, os.path.exists(brought.__spec__.cached))\n';
    const { classification, evidence } = await live.run({ script, interpreter: image.interpreter, spec: { image } });
    expect(classification).toMatchObject({ class: 'script', outcome: 'finished' });
    const records = parseEvidence(evidence ?? Buffer.alloc(0));
    expect(records.flatMap((record) => (record.kind === 'stream' ? [record.line] : []))).toEqual([`42 ${environment.prefix} True`]);
    expect(await live.remains()).toEqual([]);
  });
});
