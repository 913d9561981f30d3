import path from 'node:path';
import { openTree } from '@reenact/code-index';
import type { OpenedTree, OpenTreeOptions } from '@reenact/code-index';
import { AppError } from '@reenact/domain';
import type { CommandContext } from '../commands/command-context.js';
import { statePaths } from '../state-paths.js';
import { startProgress } from './index-progress.js';

/**
 * Brings the index of a project's folder up to date, with its progress on the terminal, and opens it. Ctrl-C ends it; what was parsed is
 * kept. @throws AppError `subject-not-found` where there is no folder, or nothing in it to index; an AbortError at Ctrl-C.
 */
export async function openProject(context: CommandContext, folder: string, options: OpenTreeOptions = {}): Promise<OpenedTree> {
  const directory = path.resolve(context.workingDirectory, folder);
  const controller = new AbortController();
  const onInterrupt = (): void => controller.abort();
  process.once('SIGINT', onInterrupt);
  const progress = context.console.isTerminal && !context.quiet ? startProgress(context.console.talk) : null;
  try {
    const tree = await openTree(directory, {
      directory: statePaths(context.configuration.stateDirectory).indexes,
      signal: controller.signal,
      onNotice: context.report,
      onProgress: (state) => progress?.show(state),
      ...options,
    });
    if (tree.files.length > 0) return tree;
    tree.close();
    throw new AppError('subject-not-found', `There is nothing to index in ${directory}.`, {
      hint: 'Indexed are Python files, notebooks, settings (YAML, TOML, JSON, INI), shell scripts, requirements and READMEs.',
    });
  } finally {
    progress?.stop();
    process.off('SIGINT', onInterrupt);
  }
}
