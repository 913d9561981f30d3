import { createRequire } from 'node:module';
import path from 'node:path';
import { AppError } from '@reenact/domain';

/** The version that the tests run with. */
export const ONNX_RUNTIME = 'onnxruntime-node@1.30.0';

/** Where the command of the error puts it: beside the start script, as the state does. */
const OWN_FOLDER = path.resolve(import.meta.dirname, '..', '..', '..', '..', '.reenact', 'onnxruntime');

/**
 * Entry file of `onnxruntime-node`, an optional part of the installation.
 * @param directory folder whose `node_modules` holds it; null = beside this package, or where the error's command puts it.
 * @throws AppError `config-invalid` with the one command that installs it.
 */
export function findOnnxRuntime(directory: string | null): string {
  const folder = directory === null ? OWN_FOLDER : path.resolve(directory);
  const froms = [...(directory === null ? [import.meta.url] : []), path.join(folder, 'package.json')];
  for (const from of froms) {
    try {
      return createRequire(from).resolve('onnxruntime-node');
    } catch {
      // the next place, or the error below
    }
  }
  throw new AppError('config-invalid', 'A model directory is configured, but onnxruntime-node, which runs it, is not installed.', {
    hint: `Run: npm install --ignore-scripts --prefix ${JSON.stringify(folder)} ${ONNX_RUNTIME}`,
  });
}
