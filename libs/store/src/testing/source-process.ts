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

/** Starts a Node process of its own that runs `code` (an ES module) on the sources of this workspace, without a build. */
export function spawnSourceProcess(code: string, workingDirectory: string): ChildProcess {
  const hook = `data:text/javascript,${encodeURIComponent(RESOLVE_SOURCES)}`;
  const flags = ['--no-warnings', '--conditions=@reenact/source', '--import', hook, '--input-type=module', '--eval', code];
  return spawn(process.execPath, flags, { cwd: workingDirectory, stdio: ['ignore', 'pipe', 'inherit'] });
}
