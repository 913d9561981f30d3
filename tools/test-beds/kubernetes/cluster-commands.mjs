// What the test command and vitest need of the test cluster.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const SCRIPT = path.join(import.meta.dirname, 'cluster.sh');
/** Programs that the cluster is built and run with, beside root. */
const PROGRAMS = ['go', 'apt-get', 'openssl', 'ip', 'nsenter', 'unshare', 'flock', 'bash'];
const NODES = '2';

/** What this machine lacks to have a cluster; null where nothing is missing. */
export function missingPrerequisite() {
  if (process.platform !== 'linux') return 'the test cluster needs Linux';
  if (process.getuid() !== 0) return 'the test cluster needs root';
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const missing = PROGRAMS.filter((program) => !folders.some((folder) => existsSync(path.join(folder, program))));
  if (missing.length > 0) return `the test cluster needs ${missing.join(', ')}`;
  // Root in a container is often root in name only.
  const { status } = spawnSync('unshare', ['--net', '--mount', '--pid', '--uts', '--fork', 'true']);
  return status === 0 ? null : 'the test cluster needs the right to make namespaces';
}

/** Variables for the cluster in a folder; this process's own say otherwise. */
function environment(directory) {
  return { REENACT_CLUSTER_NODES: NODES, ...process.env, ...(directory === null ? {} : { REENACT_CLUSTER: directory }) };
}

/** Runs a command of the cluster in a folder; what it says goes to this process's standard error. */
export function runCluster(directory, ...argv) {
  return execFileSync('bash', [SCRIPT, ...argv], { env: environment(directory), encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Begins to build the cluster's programs beside whatever else goes on; who needs them waits for the same build. */
export function buildInBackground() {
  const building = spawn('nice', ['-n', '19', 'bash', SCRIPT, 'build'], { env: environment(null), stdio: 'ignore', detached: true });
  building.on('error', () => {}); // the cluster's own start builds again, and says what is wrong
  building.unref();
}

/** What a cluster could change of this machine, as lines. */
export function machineState(directory) {
  return runCluster(directory, 'machine').split('\n');
}

/** Lines that came and went between two states; empty where the machine is as it was. */
export function differences(before, after) {
  const gone = before.filter((line) => !after.includes(line)).map((line) => `- ${line}`);
  return [...gone, ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`)];
}
