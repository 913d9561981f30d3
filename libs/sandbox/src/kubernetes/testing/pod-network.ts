import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readlink, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A bridge of its own to which the network namespaces of pods are tied; nothing of it is seen on the machine. */
export interface PodNetwork {
  /** Words before a command that gives it a network of its own; it begins when `connect` was called. */
  readonly enter: readonly string[];
  /** Name of a pod by its index, which leads to its address. */
  hostOf(node: number): string;
  /** Gives a process that was started with `enter` its interface, and lets its command begin. */
  connect(child: ChildProcess, node: number): Promise<void>;
  /** Cuts a pod off, as a broken cable does. */
  disconnect(node: number): Promise<void>;
  close(): Promise<void>;
}

/** Sets the interface up inside, once there is one; the words after it are the command. */
const BEGIN =
  'read -r name address && hostname "$name" && mount --bind "$1" /etc/hosts && shift && ip link set lo up && ip addr add "$address/24" dev eth0 && ip link set eth0 up && exec "$@"';

/**
 * Makes the bridge inside of a user namespace, which any user may.
 *
 * @param hosts where the names of the pods are written, as their `/etc/hosts`.
 */
export async function openPodNetwork(nodes: number, hosts: string): Promise<PodNetwork> {
  const names = Array.from({ length: nodes }, (_, node) => `${addressOf(node)} ${hostOf(node)} pod-${node}\n`);
  await writeFile(hosts, `127.0.0.1 localhost\n${names.join('')}`);
  const holder = spawn('unshare', ['--user', '--map-root-user', '--net', 'cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  holder.stdin.write('ready\n');
  await once(holder.stdout, 'data');
  const inside = ['-t', String(holder.pid), '-U', '-n', '--preserve-credentials', '--'];
  const ip = async (...words: string[]): Promise<void> => {
    await promisify(execFile)('nsenter', [...inside, 'ip', ...words]);
  };
  await ip('link', 'add', 'pods', 'type', 'bridge');
  await ip('link', 'set', 'pods', 'up');
  const own = await readlink(`/proc/${holder.pid}/ns/net`);
  const host = await readlink('/proc/self/ns/net');
  return {
    enter: ['nsenter', ...inside, 'unshare', '--net', '--uts', '--mount', '--', 'sh', '-c', BEGIN, 'pod', hosts],
    hostOf,
    async connect(child, node) {
      while ([own, host].includes(await readlink(`/proc/${child.pid}/ns/net`))) await sleep(5);
      await ip('link', 'add', `pod${node}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(child.pid));
      await ip('link', 'set', `pod${node}`, 'master', 'pods', 'up');
      child.stdin?.end(`pod-${node} ${addressOf(node)}\n`);
    },
    disconnect: (node) => ip('link', 'set', `pod${node}`, 'down'),
    async close() {
      holder.stdin.end();
      await once(holder, 'close');
    },
  };
}

function addressOf(node: number): string {
  return `10.77.0.${node + 1}`;
}

function hostOf(node: number): string {
  return `pod-${node}.pods.test`;
}
