import path from 'node:path';
import { openTree } from '@reenact/code-index';
import type { OpenedTree, OpenTreeOptions } from '@reenact/code-index';
import { AppError } from '@reenact/domain';
import type { CommandContext } from '../commands/command-context.js';
import { statePaths } from '../state-paths.js';
import { progressText, startProgress } from './index-progress.js';

/**
 * Brings the index of a project's folder up to date, with its progress on the terminal, and opens it; what was parsed is
 * kept when the signal ends it. @throws AppError `subject-not-found` where there is no folder, or nothing in it to index; the signal's reason.
 */
export async function openProject(context: CommandContext, folder: string, options: OpenTreeOptions): Promise<OpenedTree> {
  const directory = path.resolve(context.workingDirectory, folder);
  const progress = context.console.isTerminal && !context.quiet ? startProgress(context.console.talk, progressText) : null;
  try {
    const tree = await openTree(directory, {
      directory: statePaths(context.configuration.stateDirectory).indexes,
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
  }
}
