import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildImage } from '../build-image.js';
import type { BuiltImage } from '../build-image.js';
import { IMAGE_PYTHON, planRunnerImage } from '../runner-image.js';
import type { BaseChoice } from '../runner-image.js';

/** A virtual environment for tests. */
export interface SmallEnvironment {
  prefix: string;
  interpreter: string;
  /** Interpreter that it was made from; runs supervisors too. */
  base: string;
}

/** Makes an environment with one package, `brought`, whose `ANSWER` is 42; of the system's own Python where there is one, the smallest. */
export async function makeSmallEnvironment(prefix: string): Promise<SmallEnvironment> {
  const run = promisify(execFile);
  const base = existsSync(IMAGE_PYTHON) ? IMAGE_PYTHON : (await run('python3', ['-c', 'import sys; print(sys.executable)'])).stdout.trim();
  await run(base, ['-m', 'venv', '--without-pip', prefix]);
  const [lib = ''] = await readdir(path.join(prefix, 'lib'));
  const brought = path.join(prefix, 'lib', lib, 'site-packages', 'brought');
  await mkdir(brought);
  await writeFile(path.join(brought, '__init__.py'), 'ANSWER = 42\n');
  await run(base, ['-m', 'compileall', '-q', brought]);
  return { prefix, interpreter: path.join(prefix, 'bin', 'python'), base };
}

/** Builds its image into a layout of its own. @throws AppError as the builder does. */
export async function buildSmallImage(
  environment: SmallEnvironment,
  choice: BaseChoice,
  places: { layout: string; cacheDirectory: string },
): Promise<BuiltImage> {
  const quiet = { signal: new AbortController().signal, onProgress: () => undefined };
  const request = { name: 'x/runner:test', interpreter: environment.interpreter, lock: '', base: choice };
  const { plan } = await planRunnerImage(request, { ...quiet, cacheDirectory: places.cacheDirectory, supervisorPython: environment.base });
  return buildImage(plan, { ...quiet, directory: places.layout, onBytes: () => undefined });
}
