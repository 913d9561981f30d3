import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { EvidenceOf, EvidenceRecord } from '@reenact/domain';
import { runPods } from './testing/pods-bench.js';
import type { PodsResult, PodsTrial } from './testing/pods-bench.js';

const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();

/** A trial whose only step has this script and so many ranks, in two pods. */
const run = (text: string, ranks = 2, parts: Partial<PodsTrial> = {}): Promise<PodsResult> =>
  runPods(python, { nodes: 2, script: { 'main.py': text }, steps: [{ argv: ['python', '@script/main.py'], ranks }], ...parts });

function ofKind<K extends EvidenceRecord['kind']>(records: EvidenceRecord[], kind: K): EvidenceOf<K>[] {
  return records.filter((record): record is EvidenceOf<K> => record.kind === kind);
}

const linesOf = (records: EvidenceRecord[]): string[] => ofKind(records, 'stream').map(({ line }) => line);

function endsOf(records: EvidenceRecord[]): string[] {
  const exits = ofKind(records, 'exit').sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
  return exits.map(({ rank, code, signal, endedBy }) => `${rank ?? 'alone'}: ${code ?? signal} by ${endedBy}`);
}

/** Rank 1 goes away; rank 0 waits for it at a port of its own. */
const WAITS =
  'import os, socket\nif os.environ["RANK"] == "0":\n    def wait_for_peer():\n        server = socket.create_server(("", 7000))\n        server.accept()\n    wait_for_peer()\n';

describe('supervisors of several pods', () => {
  it('spread the ranks of a step over the nodes, whichever comes first', async () => {
    const names = ['RANK', 'LOCAL_RANK', 'LOCAL_WORLD_SIZE', 'GROUP_RANK', 'NODE_RANK', 'MASTER_ADDR', 'MASTER_PORT', 'GLOO_SOCKET_IFNAME'];
    const script = `import os\nprint(*[os.environ[name] for name in ${JSON.stringify(names)}])\n`;
    const result = await run(script, 4, { delaySeconds: [1.5, 0] });
    expect(result.statuses).toEqual([0, 0]);
    expect(linesOf(result.merged()).sort()).toEqual(
      [0, 1, 2, 3].map((rank) => [rank, rank % 2, 2, rank >> 1, rank >> 1, 'pod-0.pods.test', 29_500, 'eth0'].join(' ')),
    );
  });

  it('tell TensorFlow and JAX of all ranks, and let a launch decide otherwise', async () => {
    const script =
      'import os\nprint(os.environ["TF_CONFIG"], os.environ["JAX_COORDINATOR_ADDRESS"], os.environ["JAX_PROCESS_ID"], os.environ["NCCL_DEBUG"])\n';
    const lines = linesOf((await run(script, 2, { env: { NCCL_DEBUG: 'INFO' } })).merged());
    const workers = '{"cluster": {"worker": ["pod-0.pods.test:30500", "pod-1.pods.test:30500"]}, "task": {"type": "worker", "index": N}}';
    expect(lines.sort()).toEqual([0, 1].map((rank) => `${workers.replace('N', String(rank))} pod-0.pods.test:30000 ${rank} INFO`));
  });

  it('run a step of one rank on node 0 alone, and begin the next one together', async () => {
    const script =
      'import os, sys, time\nprint(sys.argv[1], os.environ.get("RANK", "alone"), flush=True)\ntime.sleep(0.5 if sys.argv[1] == "a" else 0)\n';
    const steps = [
      { argv: ['python', '@script/main.py', 'a'] },
      { argv: ['python', '@script/main.py', 'b'], ranks: 2 },
      { argv: ['python', '@script/main.py', 'c'] },
    ];
    const records = (await run(script, 1, { steps })).merged();
    const lines = linesOf(records);
    expect([lines[0], lines.slice(1, 3).sort(), lines[3]]).toEqual(['a alone', ['b 0', 'b 1'], 'c alone']);
    const [end] = ofKind(records, 'exit');
    const begun = ofKind(records, 'process').filter(({ source, step }) => source === 'supervisor' && step === 1);
    expect(begun.map(({ t }) => t > (end?.t ?? Infinity))).toEqual([true, true]);
    const during = ofKind(records, 'subject').filter(({ when }) => when === 'during');
    expect(during.map(({ step }) => step)).toEqual([0, 1, 2]);
  });

  it('end the ranks that outlive a failed one on another node, and run no further step', async () => {
    const script = 'import os, sys, time\nif os.environ["RANK"] == "1":\n    sys.exit(5)\ntime.sleep(600)\n';
    const step = { argv: ['python', '@script/main.py'], ranks: 2 };
    const records = (await run(script, 2, { steps: [step, step] })).merged();
    expect(endsOf(records)).toEqual(['0: SIGKILL by peer', '1: 5 by self']);
  });

  it('go on to the next step where the launch says so', async () => {
    const script = 'import os, sys\nsys.exit(3 if sys.argv[1:] and os.environ["RANK"] == "1" else 0)\n';
    const steps = [
      { argv: ['python', '@script/main.py', 'fail'], ranks: 2, continueOnError: true },
      { argv: ['python', '@script/main.py'], ranks: 2 },
    ];
    const records = (await run(script, 2, { steps })).merged();
    expect(endsOf(records).sort()).toEqual(['0: 0 by self', '0: 0 by self', '1: 0 by self', '1: 3 by self']);
  });

  it('have one clock, whatever the clocks of the nodes say', async () => {
    const script =
      'import os, socket, time\nhost, port = os.environ["MASTER_ADDR"], 7000\nif os.environ["RANK"] == "0":\n    server = socket.create_server(("", port))\n    near = server.accept()[0]\n    print("asked", flush=True)\n    near.sendall(b"x")\n    near.recv(1)\n    print("last", flush=True)\nelse:\n    while True:\n        try:\n            near = socket.create_connection((host, port))\n            break\n        except OSError:\n            time.sleep(0.01)\n    near.recv(1)\n    time.sleep(1)\n    print("answered", flush=True)\n    time.sleep(1)\n    near.sendall(b"x")\n';
    const records = (await run(script, 2, { clockSeconds: [0, 5000] })).merged();
    expect(linesOf(records)).toEqual(['asked', 'answered', 'last']);
    // A second lies between them by anybody's clock; were one ahead, it would be missing on one side.
    const [asked = 0, answered = 0, last = 0] = ofKind(records, 'stream').map(({ t }) => t);
    expect([answered - asked > 0.5, last - answered > 0.5]).toEqual([true, true]);
    const [bound] = ofKind(records, 'notice').filter(({ code }) => code === 'clock-bound');
    expect(Number(/within (\S+) s/.exec(bound?.message ?? '')?.[1])).toBeLessThan(0.05);
    const times = records.map(({ t }) => t);
    expect([Math.min(...times) >= 0, Math.max(...times) < 60]).toEqual([true, true]);
  });

  it('run in four pods too', async () => {
    const records = (await run('import os\nprint(os.environ["RANK"])\n', 4, { nodes: 4 })).merged();
    expect(linesOf(records).sort()).toEqual(['0', '1', '2', '3']);
    expect(new Set(ofKind(records, 'exit').map(({ pid }) => pid)).size).toBe(4);
  });
});

describe('a hang over nodes', () => {
  it('is one of all ranks: one waits for another that is done', async () => {
    const records = (await run(WAITS, 2, { silentSeconds: 3 })).merged();
    const [stall, ...more] = ofKind(records, 'stall');
    expect(more).toEqual([]);
    expect(stall?.blocked.map(({ rank, at }) => [rank, at?.function])).toEqual([[0, 'wait_for_peer']]);
    expect(stall?.elsewhere.map(({ rank, state }) => [rank, state])).toEqual([[1, 'exited 0']]);
    expect(endsOf(records)).toEqual(['0: SIGKILL by hang', '1: 0 by self']);
    expect(stall?.silentSeconds).toBeGreaterThanOrEqual(3);
  });

  it('is one where the blocked rank is not on the hub', async () => {
    const records = (await run(WAITS.replace('"0"', '"1"'), 2, { silentSeconds: 3 })).merged();
    const [stall] = ofKind(records, 'stall');
    expect(stall?.blocked.map(({ rank, pid }) => [rank, pid > 10_000_000])).toEqual([[1, true]]);
    expect(endsOf(records)).toEqual(['0: 0 by self', '1: SIGKILL by hang']);
  });

  it('is none while a rank on another node works in silence', async () => {
    const works =
      'else:\n    import time\n    end = time.monotonic() + 12\n    def a():\n        return sum(range(1000))\n    def b():\n        return max(range(1000))\n    while time.monotonic() < end:\n        a()\n        b()\n    socket.create_connection((os.environ["MASTER_ADDR"], 7000))\n';
    const records = (await run(WAITS + works, 2, { silentSeconds: 2 })).merged();
    expect([ofKind(records, 'stall'), endsOf(records)]).toEqual([[], ['0: 0 by self', '1: 0 by self']]);
  });

  it('is none while a rank on another node prints', async () => {
    const prints =
      'else:\n    import time\n    for number in range(10):\n        print(number, flush=True)\n        time.sleep(0.8)\n    socket.create_connection((os.environ["MASTER_ADDR"], 7000))\n';
    const records = (await run(WAITS + prints, 2, { silentSeconds: 2 })).merged();
    expect([ofKind(records, 'stall'), endsOf(records)]).toEqual([[], ['0: 0 by self', '1: 0 by self']]);
  });
});

describe('a limit on one node', () => {
  it('ends the trial on all, for the same reason', async () => {
    const script = 'import os, time\nif os.environ["RANK"] == "1":\n    while True:\n        print("x" * 1000)\ntime.sleep(600)\n';
    const records = (await run(script, 2, { limits: { outputBytes: 100_000 } })).merged();
    expect(endsOf(records).map((end) => end.split(' ').at(-1))).toEqual(['output-limit', 'output-limit']);
  });

  it('leaves the stacks of all ranks where it is the time', async () => {
    const script = 'import time\ndef stuck():\n    time.sleep(600)\nstuck()\n';
    const records = (await run(script, 2, { limits: { wallSeconds: 3 } })).merged();
    expect(endsOf(records)).toEqual(['0: SIGKILL by wall-limit', '1: SIGKILL by wall-limit']);
    expect(new Set(ofKind(records, 'stack').map(({ rank }) => rank))).toEqual(new Set([0, 1]));
  });
});

describe('a node that is lost', () => {
  const long = 'import time\nprint("running", flush=True)\ntime.sleep(600)\n';
  const unseen = (result: PodsResult): unknown[] => result.pods.map(({ reader }) => reader.evidence());

  it.each([0, 1])('makes the others end with 67 and without evidence: the supervisor of node %i is killed', async (victim) => {
    const result = await run(long, 2, {
      onLine: (line, node, pods) => {
        if (node === victim && line.includes('"line":"running"')) pods.kill(victim, 'SIGKILL');
      },
    });
    expect([result.statuses[1 - victim], unseen(result)]).toEqual([67, [null, null]]);
    expect(result.pods[1 - victim]?.words).toContain(`node ${victim} is lost`);
  });

  it('is one that the network cuts off, though both still run', async () => {
    let isCut = false;
    const result = await run(long, 2, {
      changeConfig: ({ ranks }) => Object.assign(ranks ?? {}, { lostSeconds: 3 }),
      onLine: (line, _, pods) => {
        if (isCut || !line.includes('"line":"running"')) return;
        isCut = true;
        void pods.disconnect(1);
      },
    });
    expect([result.statuses, unseen(result)]).toEqual([
      [67, 67],
      [null, null],
    ]);
    expect(result.pods.map(({ words }) => words)).toEqual([
      expect.stringContaining('no sign of life for 3 s'),
      expect.stringContaining('no sign of life for 3 s'),
    ]);
  });

  it('is one that was stopped from outside', async () => {
    let isStopped = false;
    const result = await run(long, 2, {
      onLine: (line, node, pods) => {
        if (isStopped || node !== 1 || !line.includes('"line":"running"')) return;
        isStopped = true;
        pods.kill(1, 'SIGTERM');
      },
    });
    expect([result.statuses, unseen(result)]).toEqual([
      [67, 75],
      [null, null],
    ]);
  });

  it('is one that never came, or came too late', async () => {
    const result = await run(long, 2, {
      changeConfig: ({ ranks }) => Object.assign(ranks ?? {}, { joinSeconds: 2 }),
      delaySeconds: [0, 4],
    });
    expect([result.statuses, unseen(result)]).toEqual([
      [67, 67],
      [null, null],
    ]);
    expect(result.pods[0]?.words).toContain('did not come together within 2 s');
  });

  it('is one with another payload, another nonce or a name that nobody has', async () => {
    const joinSeconds = 3;
    const other = await run(long, 2, {
      changeConfig: (config, node) => {
        if (node === 1) config['run'] = { ...(config['run'] as object), importRoots: ['src'] };
      },
    });
    expect([other.statuses, other.pods[0]?.words]).toEqual([[67, 67], expect.stringContaining('node 1 was given another task')]);
    const stranger = await run(long, 2, {
      changeConfig: ({ ranks }) => Object.assign(ranks ?? {}, { joinSeconds }),
      environment: (node): Record<string, string> => (node === 1 ? { REENACT_NONCE: 'ab'.repeat(32) } : {}),
    });
    expect(stranger.statuses).toEqual([67, 67]);
    const nameless = await run(long, 2, {
      changeConfig: ({ ranks }) => Object.assign(ranks ?? {}, { joinSeconds, hosts: ['pod-0.pods.test', 'nobody.invalid'] }),
    });
    expect([nameless.statuses, nameless.pods[0]?.words]).toEqual([[67, 67], expect.stringContaining('no address of nobody.invalid')]);
  });

  it('is told from ranks that cannot be spread over the pods', async () => {
    const result = await run(long, 2, { changeConfig: (config) => Object.assign(stepOf(config), { ranks: 3 }) });
    expect(result.statuses).toEqual([64, 64]);
    expect(result.pods[0]?.words).toContain('do not spread evenly over 2 pods');
  });
});

function stepOf(config: Record<string, unknown>): object {
  const { launch } = config['run'] as { launch: { steps: object[] } };
  return launch.steps[0] ?? {};
}

describe('a script that reaches the side channel', () => {
  it('neither forges, nor replays, nor disturbs anything', async () => {
    const script = `
import json, os, socket, threading, time
held, told = [], []
def attack(number):
    try:
        near = socket.create_connection((os.environ["MASTER_ADDR"], 29399), 2)
        held.append(near)
        near.sendall(json.dumps({"node": 1, "challenge": "00"}).encode() + b"\\n")
        near.sendall(json.dumps([0, "up", 1, json.dumps({"kind": "reason", "reason": "hang"}), "00" * 32]).encode() + b"\\n")
        near.sendall(b"x" * 100000)
        near.settimeout(0.5)
        told.append(near.recv(100))
    except OSError:
        pass
threads = [threading.Thread(target=attack, args=(number,)) for number in range(200)]
for thread in threads:
    thread.start()
try:
    socket.create_server(("0.0.0.0", 29399), reuse_port=True)
    print("bound", os.environ["RANK"])
except OSError:
    pass
time.sleep(3)
for thread in threads:
    thread.join()
print("told", sorted(set(told)))
print("reached", bool(held))
`;
    const result = await run(script);
    expect(result.statuses).toEqual([0, 0]);
    const records = result.merged();
    expect(endsOf(records)).toEqual(['0: 0 by self', '1: 0 by self']);
    // The port is free on a node that is not the hub, where nobody ever connects to it.
    expect(linesOf(records).sort()).toEqual(['bound 1', 'reached True', 'reached True', 'told []', 'told []']);
  });
});
