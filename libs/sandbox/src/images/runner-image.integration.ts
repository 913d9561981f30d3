import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OciIndex, OciManifest } from '@reenact/domain/schemas';
import { parseEvidence } from '../evidence-reader.js';
import { executionObjects } from '../kubernetes/execution-objects.js';
import { createFrameReader } from '../kubernetes/frame-reader.js';
import { linesOf } from '../kubernetes/lines.js';
import { packPayload } from '../kubernetes/pack-payload.js';
import { POD_PATHS } from '../kubernetes/run-job.js';
import { executionSpec } from '../kubernetes/testing/specs.js';
import type { BuiltImage } from './build-image.js';
import { IMAGE_PYTHON } from './runner-image.js';
import type { BaseChoice } from './runner-image.js';
import { buildSmallImage, makeSmallEnvironment } from './testing/small-environment.js';
import type { SmallEnvironment } from './testing/small-environment.js';

const NONCE = '5a'.repeat(32);
const cacheDirectory = path.join(process.env['REENACT_TESTBED_CACHE'] ?? path.join(homedir(), '.cache', 'reenact-testbeds'), 'images');
const isRoot = process.getuid?.() === 0;
let scratch = '';
let environment: SmallEnvironment;

/** Where it is missing, CI brings it as it brings the other things that tests need. */
function hasRootMaker(): boolean {
  const answers = (): boolean => spawnSync('mmdebstrap', ['--version']).status === 0;
  if (!answers() && process.env['CI'] !== undefined && isRoot) {
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'mmdebstrap'], { stdio: 'ignore' });
  }
  return answers();
}

const bases: [string, BaseChoice][] = [['this machine’s libraries', { kind: 'host' }]];
if (hasRootMaker()) bases.push(['a Debian root', { kind: 'debian', plan: { suite: 'bookworm', extras: [], snapshot: null, mirrors: [] } }]);

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'runner-image-')));
  await chmod(scratch, 0o755);
  environment = await makeSmallEnvironment(path.join(scratch, 'venv'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const build = (base: BaseChoice, layout: string): Promise<BuiltImage> => buildSmallImage(environment, base, { layout, cacheDirectory });

/** Unpacks an image as a runtime does, with `tar`, from nothing but its digest. */
async function unpack(layout: string, digest: string, root: string): Promise<void> {
  const blob = (name: string): string => path.join(layout, 'blobs', name.replace(':', '/'));
  const json = async (name: string): Promise<unknown> => JSON.parse(await readFile(blob(name), 'utf8'));
  const [manifest] = OciIndex.parse(await json(digest)).manifests;
  await mkdir(root);
  for (const layer of OciManifest.parse(await json(manifest?.digest ?? '')).layers) {
    execFileSync('tar', ['--extract', '--gzip', '--no-same-owner', '--keep-directory-symlink', '-f', blob(layer.digest), '-C', root]);
  }
}

/** As a runtime starts a container: own mounts and processes, read-only root, an unprivileged user. */
const START = `set -e
mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
mount --bind "$2" "$1/in"
mount --bind "$3" "$1/scratch"
mount --rbind /dev "$1/dev"
mount -t proc proc "$1/proc"
shift 3
exec chroot "$@"`;

interface Container {
  root: string;
  input: string;
  scratch: string;
}

function start({ root, input, scratch: writable }: Container, command: readonly string[]) {
  const namespaces = [...(isRoot ? [] : ['--user', '--map-root-user']), '--mount', '--pid', '--fork', '--kill-child'];
  const user = isRoot ? ['--userspec=10001:10001'] : [];
  const argv = [...namespaces, 'sh', '-c', START, 'sh', root, input, writable, ...user, root, ...command];
  return spawn('unshare', argv, {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', REENACT_NONCE: NONCE, REENACT_POD_UID: 'pod-1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Input and scratch as a pod of this script has them. */
async function container(root: string, script: string): Promise<Container> {
  const place = await mkdtemp(path.join(scratch, 'pod-'));
  const folder = (name: string): string => path.join(place, name);
  for (const name of ['script', 'subject', 'in', 'scratch']) await mkdir(folder(name));
  await chmod(place, 0o755);
  await chmod(folder('scratch'), 0o777);
  await writeFile(path.join(folder('script'), 'main.py'), script);
  const spec = executionSpec({ payload: await packPayload({ script: folder('script'), subject: folder('subject') }), nonce: NONCE });
  const run = { ...spec.run, interpreter: environment.interpreter };
  const { root: map } = executionObjects({ ...spec, run }, new Date(0));
  // No kubelet gave it limits that the check of a node could find.
  const config = { ...(JSON.parse(map.data['run.json'] ?? '') as object), node: null };
  await writeFile(path.join(folder('in'), 'run.json'), JSON.stringify(config));
  for (const [name, text] of Object.entries(map.binaryData)) await writeFile(path.join(folder('in'), name), Buffer.from(text, 'base64'));
  return { root, input: folder('in'), scratch: folder('scratch') };
}

const SCRIPT = `
import brought, os, sys
print(brought.ANSWER, sys.prefix)
print("byte code", brought.__spec__.cached is not None and os.path.exists(brought.__spec__.cached))
import ctypes, hashlib, json, ssl, sqlite3, zlib
try:
    open(sys.prefix + "/written", "w")
except OSError as error:
    print(type(error).__name__, error.errno)
`;

describe.each(bases)('a runner image on %s', (_words, base) => {
  it('runs a trial in the environment at its own path', async () => {
    const [layout, root] = [path.join(scratch, `layout-${base.kind}`), path.join(scratch, `root-${base.kind}`)];
    const built = await build(base, layout);
    expect(await build(base, layout)).toEqual({ ...built, layers: built.layers.map((layer) => ({ ...layer, wasReused: true })) });
    await unpack(layout, built.digest, root);
    const child = start(await container(root, SCRIPT), [
      IMAGE_PYTHON,
      '-I',
      '-S',
      '-B',
      POD_PATHS.supervisor,
      `${POD_PATHS.input}/run.json`,
    ]);
    const ended = new Promise<number | null>((settle) => child.on('close', settle));
    const reader = createFrameReader(NONCE);
    for await (const line of linesOf(child.stdout as AsyncIterable<Buffer>, 1024 ** 2)) reader.take(line);
    expect([await ended, reader.end()]).toEqual([0, { state: 'whole', podUid: 'pod-1', kind: 'finished' }]);
    const records = parseEvidence(reader.evidence() ?? Buffer.alloc(0));
    const lines = records.flatMap((record) => (record.kind === 'stream' ? [record.line] : []));
    expect(lines).toEqual([`42 ${environment.prefix}`, 'byte code True', 'OSError 30']);
    expect(records.find((record) => record.kind === 'exit')).toMatchObject({ code: 0 });
  });
});

it('is equal when it is built twice', async () => {
  const [one, other] = [
    await build({ kind: 'host' }, path.join(scratch, 'layout-host')),
    await build({ kind: 'host' }, path.join(scratch, 'other')),
  ];
  expect(other.digest).toBe(one.digest);
});
