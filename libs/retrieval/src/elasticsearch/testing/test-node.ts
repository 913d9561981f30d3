import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { TestBedConfiguration } from './config.js';
import { holdsModule } from './java-home.js';
import { bedError, installNode } from './node-installation.js';
import type { NodeInstallation } from './node-installation.js';

const run = promisify(execFile);
/** A busy machine takes ten times what an idle one does (3 to 10 s). */
const START_PATIENCE_SECONDS = 240;
const END_PATIENCE_SECONDS = 30;
const LARGEST_HEAP = '-Xmx1g';
/** Faster vectors, in a Java that has them. */
const VECTORS = 'jdk.incubator.vector';
const TIED = 'tied-';

/** A node for one test file: it ends with the process that started it, even when that is killed. */
export interface TestNode {
  url: string;
  /** Ends the node as a power cut would (SIGKILL); its data stay. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  restart(): Promise<void>;
  /** Ends it and deletes everything of it. */
  stop(): Promise<void>;
}

/** A node of its own for a test file, on a free port of the loopback device. @throws AppError `search-unreachable`. */
export async function startTestNode(configuration: TestBedConfiguration): Promise<TestNode> {
  const installation = await installNode(configuration);
  await removeLeftOvers(configuration);
  const folder = path.join(runsOf(configuration), `${TIED}${process.pid}-${randomBytes(4).toString('hex')}`);
  let child = await launch(installation, folder, { port: 0, isTied: true });
  const port = await portOf(folder);
  return {
    url: urlOf(port),
    async kill() {
      child.kill('SIGKILL');
      await ended(child);
    },
    async restart() {
      child = await launch(installation, folder, { port, isTied: true });
    },
    async stop() {
      child.kill('SIGTERM');
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The URL of the node named `name` that outlives this process, started where it does not run. */
export async function bringNodeUp(configuration: TestBedConfiguration, name: string): Promise<string> {
  const running = await findNode(configuration, name);
  if (running !== null) return running;
  await takeNodeDown(configuration, name);
  const installation = await installNode(configuration);
  const folder = path.join(runsOf(configuration), name);
  const child = await launch(installation, folder, { port: 0, isTied: false });
  child.unref();
  return urlOf(await portOf(folder));
}

/** Ends the node named `name`, if one runs, and deletes its data; ends too what killed test runs left. */
export async function takeNodeDown(configuration: TestBedConfiguration, name: string): Promise<void> {
  await removeLeftOvers(configuration);
  await removeRun(path.join(runsOf(configuration), name));
}

/** The URL of the node named `name`; null where it does not run. */
export async function findNode(configuration: TestBedConfiguration, name: string): Promise<string | null> {
  const folder = path.join(runsOf(configuration), name);
  return existsSync(path.join(folder, 'ready')) && (await ownPid(folder)) !== null ? urlOf(await portOf(folder)) : null;
}

function runsOf({ cacheDirectory }: TestBedConfiguration): string {
  return path.join(cacheDirectory, 'elasticsearch-runs');
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

async function portOf(folder: string): Promise<number> {
  return Number(await readFile(path.join(folder, 'ready'), 'utf8'));
}

async function launch(installation: NodeInstallation, folder: string, how: { port: number; isTied: boolean }): Promise<ChildProcess> {
  for (const made of ['config', 'plugins', 'tmp']) await mkdir(path.join(folder, made), { recursive: true });
  await rm(path.join(folder, 'ready'), { force: true });
  if (!existsSync(path.join(folder, 'modules'))) await symlink(path.join(installation.directory, 'modules'), path.join(folder, 'modules'));
  const logFile = path.join(folder, 'log');
  const log = await open(logFile, 'a');
  const child = spawn(path.join(installation.java, 'bin', 'java'), javaArguments(installation, folder, how), {
    cwd: folder,
    detached: !how.isTied,
    stdio: [how.isTied ? 'pipe' : 'ignore', log.fd, log.fd],
  });
  await log.close();
  await writeFile(path.join(folder, 'pid.new'), String(child.pid));
  await rename(path.join(folder, 'pid.new'), path.join(folder, 'pid'));
  for (let waited = 0; waited < START_PATIENCE_SECONDS * 5; waited++) {
    if (existsSync(path.join(folder, 'ready'))) return child;
    if (child.exitCode !== null || child.signalCode !== null) break;
    await sleep(200);
  }
  child.kill('SIGKILL');
  throw bedError(`The Elasticsearch test node did not start:\n${(await readFile(logFile, 'utf8')).slice(-2000)}`);
}

function javaArguments(
  { directory, java }: NodeInstallation,
  folder: string,
  { port, isTied }: { port: number; isTied: boolean },
): string[] {
  const properties = {
    'es.nativelibs.path': path.join(directory, 'native'),
    // The library comes with the distribution only; without it vectors are compared in Java.
    'org.elasticsearch.nativeaccess.enableVectorLibrary': 'false',
    'log4j2.configurationFile': path.join(directory, 'log4j2.properties'),
    'java.io.tmpdir': path.join(folder, 'tmp'),
    'io.netty.noUnsafe': 'true',
    'file.encoding': 'UTF-8',
  };
  return [
    '-Xms256m',
    LARGEST_HEAP,
    '-XX:+UseSerialGC',
    ...(holdsModule(java, VECTORS) ? [`--add-modules=${VECTORS}`] : []),
    '--enable-native-access=ALL-UNNAMED',
    ...Object.entries(properties).map(([name, value]) => `-D${name}=${value}`),
    '-cp',
    [path.join(directory, 'classes'), path.join(directory, 'lib', '*')].join(path.delimiter),
    'TestNode',
    folder,
    String(port),
    ...(isTied ? ['tied'] : []),
  ];
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), END_PATIENCE_SECONDS * 1000);
  await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
}

/** Ends the nodes of test runs that were killed, and deletes what they left. */
async function removeLeftOvers(configuration: TestBedConfiguration): Promise<void> {
  const runs = runsOf(configuration);
  for (const name of existsSync(runs) ? await readdir(runs) : []) {
    const owner = name.startsWith(TIED) ? Number(name.slice(TIED.length).split('-')[0]) : null;
    if (owner !== null && !isAlive(owner)) await removeRun(path.join(runs, name));
  }
}

async function removeRun(folder: string): Promise<void> {
  const pid = await ownPid(folder);
  if (pid !== null) {
    process.kill(pid, 'SIGTERM');
    for (let waited = 0; isAlive(pid) && waited < END_PATIENCE_SECONDS * 5; waited++) await sleep(200);
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
  await rm(folder, { recursive: true, force: true });
}

/** The recorded process, if it lives and is this folder's node: process numbers come round again. */
async function ownPid(folder: string): Promise<number | null> {
  const pid = Number(await readFile(path.join(folder, 'pid'), 'utf8').catch(() => '0'));
  if (!Number.isInteger(pid) || pid <= 0) return null;
  const command = await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  );
  return command.includes(` ${folder} `) ? pid : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
