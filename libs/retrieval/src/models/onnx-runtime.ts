import { createRequire } from 'node:module';
import path from 'node:path';
import { AppError } from '@reenact/domain';

/** The version that the tests run with. */
export const ONNX_RUNTIME = 'onnxruntime-node@1.30.0';

/**
 * Entry file of `onnxruntime-node`, an optional part of the installation.
 * @param directory folder whose `node_modules` holds it; null = where this package finds it.
 * @throws AppError `config-invalid` with the one command that installs it.
 */
export function findOnnxRuntime(directory: string | null): string {
  const from = directory === null ? import.meta.url : path.join(path.resolve(directory), 'package.json');
  try {
    return createRequire(from).resolve('onnxruntime-node');
  } catch {
    const where = directory === null ? '' : ` --prefix ${JSON.stringify(directory)}`;
    throw new AppError('config-invalid', 'A model directory is configured, but onnxruntime-node, which runs it, is not installed.', {
      hint: `Run: npm install --no-save --ignore-scripts${where} ${ONNX_RUNTIME}`,
    });
  }
}
