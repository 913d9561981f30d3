import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '@reenact/domain';
import type { Verdict } from '@reenact/domain';
import { syncDirectory, writeFileAside } from './write-aside.js';

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._+@=-]{0,127}$/;
const MAX_SEGMENTS = 8;
/** The file whose presence says that the folder is complete. */
const VERDICT_FILE = 'verdict.json';

/** The artefact folder of one run: what people and scripts look into. */
export interface RunFolder {
  readonly path: string;
  /** Absolute path of a name such as `attempts/1-2/script.py`. @throws AppError `internal` for a name that is not plain. */
  pathOf(name: string): string;
  /** Writes a file whole or not at all, and makes its folders. `verdict.json` is refused. */
  write(name: string, content: string | Uint8Array): Promise<void>;
  /** Makes a folder inside, for a tree that is checked out there. */
  makeDirectory(name: string): Promise<string>;
  /** Writes `verdict.json`, after everything else is on disk; call it last. */
  finish(verdict: Verdict): Promise<void>;
}

/**
 * Opens `<stateDirectory>/runs/<runId>`, and makes it when absent.
 * @throws AppError `internal` when the run id is no plain name.
 */
export async function openRunFolder(stateDirectory: string, runId: string): Promise<RunFolder> {
  const path = runFolderPath(stateDirectory, runId);
  await mkdir(path, { recursive: true });
  const pathOf = (name: string) => join(path, plainName(name));
  const writeInside = async (name: string, content: string | Uint8Array) => {
    await mkdir(dirname(pathOf(name)), { recursive: true });
    await writeFileAside(pathOf(name), content);
  };
  return {
    path,
    pathOf,
    async write(name, content) {
      if (name === VERDICT_FILE) throw new AppError('internal', `${VERDICT_FILE} is written by finish() alone.`);
      await writeInside(name, content);
    },
    async makeDirectory(name) {
      await mkdir(pathOf(name), { recursive: true });
      return pathOf(name);
    },
    async finish(verdict) {
      await syncDirectory(path);
      await writeInside(VERDICT_FILE, `${JSON.stringify(verdict, null, 2)}\n`);
      await syncDirectory(path);
    },
  };
}

/** Where a run's folder lies. @throws AppError `internal` when the run id is no plain name. */
export function runFolderPath(stateDirectory: string, runId: string): string {
  if (runId.includes('/')) throw new AppError('internal', `${JSON.stringify(runId.slice(0, 100))} is no run id.`);
  return join(stateDirectory, 'runs', plainName(runId));
}

function plainName(name: string): string {
  const segments = name.split('/');
  if (segments.length > MAX_SEGMENTS || !segments.every((segment) => SEGMENT.test(segment))) {
    throw new AppError('internal', `${JSON.stringify(name.slice(0, 200))} is no plain name for a file of a run.`);
  }
  return name;
}
