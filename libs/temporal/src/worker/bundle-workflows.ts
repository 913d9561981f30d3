import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import type { BundleOptions, LogLevel } from '@temporalio/worker';
import { AppError } from '@reenact/domain';
import { sdkLogger } from './runtime.js';

/** Size and place of a written bundle. */
export interface WrittenBundle {
  codePath: string;
  byteCount: number;
}

type WebpackHook = NonNullable<BundleOptions['webpackConfigHook']>;

/**
 * Bundles the workflows at `workflowsPath` (TypeScript or JavaScript) into one file for {@link startWorkerHost}, written aside and renamed.
 * @throws AppError `internal` with webpack's own words when anything does not resolve.
 */
export async function bundleWorkflows(workflowsPath: string, outFile: string): Promise<WrittenBundle> {
  const errors: string[] = [];
  const logger = sdkLogger(({ level, message }) => {
    if (level === 'ERROR') errors.push(message);
  }, 'ERROR' satisfies LogLevel);
  const { code } = await bundleWorkflowCode({ workflowsPath, webpackConfigHook: resolveWorkspace, logger }).catch((error: unknown) => {
    throw new AppError('internal', `The workflows at ${workflowsPath} can't be bundled: ${errors.join('\n') || String(error)}`, {
      cause: error,
    });
  });
  if (errors.length > 0) throw new AppError('internal', `The workflows at ${workflowsPath} can't be bundled: ${errors.join('\n')}`);
  await mkdir(dirname(outFile), { recursive: true });
  const aside = `${outFile}.${process.pid}.new`;
  await writeFile(aside, code);
  await rename(aside, outFile);
  return { codePath: outFile, byteCount: Buffer.byteLength(code) };
}

/** Two traps of an ESM monorepo (temporal.md section 6): `./x.js` of a `.ts` source, and workspace packages that export `dist/`. */
export const resolveWorkspace: WebpackHook = (config) => ({
  ...config,
  resolve: {
    ...config.resolve,
    extensionAlias: { '.js': ['.ts', '.js'] },
    conditionNames: ['@reenact/source', 'import', 'require', 'default'],
  },
});
