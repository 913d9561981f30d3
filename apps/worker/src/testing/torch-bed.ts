import { execFile, spawnSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureUv } from '@reenact/environment';
import { makeFolderOnce } from '@reenact/store/testing';

const run = promisify(execFile);
const FIND = 'import importlib.util as u, sys; print(sys.executable if u.find_spec("torch") else "")';
const PACKAGES = ['torch==2.6.0', 'numpy==2.2.6'];
/** The working copy's own state, where tests may keep what is dear to fetch. */
const STATE = path.resolve(import.meta.dirname, '..', '..', '..', '..', '.reenact');

/**
 * An interpreter with torch: the first on the search path, else, where no test may be left out, one that is installed once below
 * `.reenact/beds` (about 5 GB). Null elsewhere.
 */
export async function findTorch(options: { searchPath: string; install: boolean }): Promise<string | null> {
  for (const folder of options.searchPath.split(path.delimiter)) {
    const found = spawnSync(path.join(folder, 'python3'), ['-c', FIND], { encoding: 'utf8' }).stdout;
    if (typeof found === 'string' && found.trim() !== '') return found.trim();
  }
  return options.install ? installTorch(path.join(STATE, 'beds', PACKAGES.join('-').replaceAll('==', '-'))) : null;
}

async function installTorch(folder: string): Promise<string> {
  await makeFolderOnce(folder, async (aside) => {
    const uv = await ensureUv({ stateDirectory: STATE, pip: 'python3', onProgress: () => undefined });
    // The interpreter itself, since a version manager's shim is no base for an environment.
    const { stdout: base } = await run('python3', ['-I', '-c', 'import sys; print(sys.executable)']);
    await run(uv, ['venv', '--clear', '--relocatable', '--python', base.trim(), aside]);
    await run(uv, ['pip', 'install', '--quiet', '--python', path.join(aside, 'bin', 'python'), ...PACKAGES]);
  });
  return path.join(folder, 'bin', 'python');
}
