import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeFolderOnce } from '@reenact/store/testing';
import { ONNX_RUNTIME } from '../onnx-runtime.js';

const run = promisify(execFile);
/** The working copy's own state, where tests may keep what is dear to fetch. */
const BEDS = path.resolve(import.meta.dirname, '..', '..', '..', '..', '..', '.reenact', 'beds');

/** Folder with the pinned runtime, installed once (about 290 MB) and without its download of the CUDA provider. */
export async function onnxRuntimeBed(): Promise<string> {
  const folder = path.join(BEDS, ONNX_RUNTIME.replace('@', '-'));
  await makeFolderOnce(folder, async (aside) => {
    await writeFile(path.join(aside, 'package.json'), '{"private":true}');
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ONNX_RUNTIME], { cwd: aside });
  });
  return folder;
}

/** Directory with MiniLM's real weights, as the bench's script lays it out (23 MB). */
export async function miniLmBed(): Promise<string> {
  const script = path.resolve(import.meta.dirname, '..', '..', '..', '..', '..', 'bench', 'retrieval', 'fetch-weights.mjs');
  const { stdout } = await run(process.execPath, [script, path.join(BEDS, 'weights')]);
  return stdout.trim();
}
