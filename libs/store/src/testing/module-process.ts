import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** Lets plain Node run the sources: `./x.js` stands for `./x.ts`, types are stripped by Node itself. */
const RESOLVE_SOURCES = `import { registerHooks } from 'node:module';
registerHooks({ resolve(specifier, context, next) {
  try { return next(specifier, context); } catch (error) {
    if (!specifier.endsWith('.js')) throw error;
    return next(specifier.slice(0, -3) + '.ts', context);
  }
} });`;

/** Run as a source, this module starts sources, without a build; built, it starts what was built. */
const SOURCE_FLAGS = import.meta.filename.endsWith('.ts')
  ? ['--conditions=@reenact/source', '--import', `data:text/javascript,${encodeURIComponent(RESOLVE_SOURCES)}`]
  : [];

/**
 * Starts a Node process of its own that runs `code`, an ES module of this workspace.
 * @param workingDirectory what the relative imports of `code` (all `./x.js`) start from: the `import.meta.dirname` of a module.
 */
export function spawnModuleProcess(code: string, workingDirectory: string): ChildProcess {
  const flags = ['--no-warnings', ...SOURCE_FLAGS, '--input-type=module', '--eval', code];
  return spawn(process.execPath, flags, { cwd: workingDirectory, stdio: ['ignore', 'pipe', 'inherit'] });
}
