import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithCluster } from './testing/cluster.js';
import type { Cluster } from './testing/cluster.js';
import { runJudged } from './testing/judged-run.js';
import { openLiveCluster } from './testing/live-executions.js';
import type { LiveCluster } from './testing/live-executions.js';
import { plainPod } from './testing/test-pods.js';
import { prepareUnprotected, readEscape, runUnprotected, UNPROTECTED_NAMESPACE } from './testing/unprotected-pod.js';

const NEIGHBOUR_PORT = 9_000;
const PATIENT = { wallSeconds: 100 };
/** Answers whoever comes, itself first, and tells who came. */
const LISTENER = `import socket, time
server = socket.create_server(("0.0.0.0", ${NEIGHBOUR_PORT}))
own = socket.create_connection(("127.0.0.1", ${NEIGHBOUR_PORT}))
server.settimeout(25)
visitors = 0
print("ready", flush=True)
try:
    while True:
        server.accept()
        visitors += 1
except TimeoutError:
    print("visitors:", visitors)
`;

/** How one way out was answered. */
interface Way {
  way: string;
  open: boolean;
  words: string;
}

/** By the names that `escapes/reach.py` knows. */
type Targets = Record<'api' | 'apiEndpoint' | 'kubelet' | 'neighbour', [string, number]> & { dns: string };

describeWithCluster('a hostile script', { nodes: 1 }, (cluster) => {
  let live: LiveCluster;
  let targets: Targets;
  beforeAll(async () => {
    live = await openLiveCluster(cluster());
    await prepareUnprotected(live);
    await startNeighbour(live);
    targets = await findTargets(cluster());
  }, 300_000);
  afterAll(async () => {
    live.close();
    await cluster().kubectl(['delete', 'namespace', '--ignore-not-found', UNPROTECTED_NAMESPACE]);
  });
  afterEach(async () => {
    expect(await live.remains()).toEqual([]);
  }, 120_000);

  const reach = async (parts: Targets & { tag: string }) => `TARGETS = ${JSON.stringify(parts)}\n${await readEscape('reach')}`;

  it('reaches from a run pod nothing of all that it reaches without protection', async () => {
    const bare = await runUnprotected(live, 'reach', await reach({ ...targets, tag: 'bare' }));
    expect(waysOf(bare.log.split('\n')).filter(({ open }) => !open)).toEqual([]);
    expect(bare.log).toContain('"mark":"escape-bare"');
    const script = await reach({ ...targets, tag: 'run' });
    const { lines, exits, result } = await runJudged(live, { script, limits: PATIENT });
    expect([result.classification.class, exits[0]?.code]).toEqual(['script', 0]);
    const ways = waysOf(lines);
    expect(ways.filter(({ open }) => open)).toEqual([]);
    expect(ways.map(({ way }) => way)).toEqual(waysOf(bare.log.split('\n')).map(({ way }) => way));
    const seen = await cluster().bed('seen');
    for (const trace of ['/escape-bare', 'escape-bare.resolved.example.org', 'escape-bare.secret.example.org'])
      expect(seen).toContain(trace);
    expect(seen).not.toContain('escape-run');
  });

  it('does not meet the pod of another execution', async () => {
    const { lines: heard } = await runJudged(live, {
      script: LISTENER,
      meddle: async ({ pod }) => {
        const host = await live.kubectl('get', 'pod', pod, '-o', 'jsonpath={.status.podIP}');
        const script = await reach({ ...targets, neighbour: [host, NEIGHBOUR_PORT], tag: 'other' });
        const { lines } = await runJudged(live, { script, limits: PATIENT });
        expect(waysOf(lines)).not.toEqual([]);
        expect(waysOf(lines).filter(({ open }) => open)).toEqual([]);
      },
    });
    expect(heard).toContain('visitors: 1');
  });
});

function waysOf(lines: string[]): Way[] {
  return lines.flatMap((line) => (line.startsWith('OBS ') ? [JSON.parse(line.slice(4)) as Way] : []));
}

async function startNeighbour({ cluster }: LiveCluster): Promise<void> {
  const image = (await cluster.bed('reference', 'busybox')).trim();
  const command = ['sh', '-c', `while true; do echo met | nc -l -p ${NEIGHBOUR_PORT}; done`];
  const pod = JSON.stringify(plainPod('neighbour', { image, command }));
  await cluster.kubectl(['-n', UNPROTECTED_NAMESPACE, 'apply', '-f', '-'], pod);
  await cluster.kubectl(['-n', UNPROTECTED_NAMESPACE, 'wait', '--for=condition=Ready', 'pod/neighbour', '--timeout=60s']);
}

async function findTargets({ kubectl }: Cluster): Promise<Targets> {
  const words = async (...argv: string[]) => (await kubectl([...argv.slice(0, -1), '-o', `jsonpath=${argv.at(-1) ?? ''}`])).split(' ');
  const service = ['-n', 'default', 'get', 'service', 'kubernetes'];
  const slice = ['-n', 'default', 'get', 'endpointslices', '-l', 'kubernetes.io/service-name=kubernetes'];
  const [apiHost = ''] = await words(...service, '{.spec.clusterIP}');
  const [endpoint = '', port = ''] = await words(...slice, '{.items[0].endpoints[0].addresses[0]} {.items[0].ports[0].port}');
  const neighbour = ['-n', UNPROTECTED_NAMESPACE, 'get', 'pod', 'neighbour', '{.status.podIP} {.status.hostIP}'];
  const [host = '', node = ''] = await words(...neighbour);
  const [dns = ''] = await words('-n', 'kube-system', 'get', 'services', '{.items[0].spec.clusterIP}');
  return { api: [apiHost, 443], apiEndpoint: [endpoint, Number(port)], kubelet: [node, 10_250], neighbour: [host, NEIGHBOUR_PORT], dns };
}
