import path from 'node:path';
import type { Command } from 'commander';
import { measureSkipped } from '@reenact/code-index';
import type { IndexPlan, OpenedTree, SkippedFolder } from '@reenact/code-index';
import { writeJson } from '../console.js';
import { countReasons, planWords, resultWords } from '../search/index-words.js';
import { openProject } from '../search/open-project.js';
import { contextOf, withCommon } from './command-context.js';
import type { CommandContext, CommandHost } from './command-context.js';
import { interruptible } from './interruptible.js';

const MOST_FOLDERS = 20;

/** `index`: makes or refreshes the code index of a folder, in this process. */
export function addIndexCommand(program: Command, host: CommandHost): void {
  const command = program
    .command('index')
    .description("Index a project's code, so that searching it answers at once; only what changed is read again.")
    .argument('<folder>', 'the project’s folder');
  withCommon(command, ['index path/to/project', 'index . --json']).action(async (folder: string) => {
    const context = contextOf(host, command);
    await interruptible(host, context, (signal) => indexFolder(context, folder, signal));
  });
}

async function indexFolder(context: CommandContext, folder: string, signal: AbortSignal): Promise<void> {
  const begin = performance.now();
  const found: { plan: IndexPlan | null; folders: SkippedFolder[] } = { plan: null, folders: [] };
  const tree = await openProject(context, folder, {
    signal,
    async onPlan(plan) {
      found.plan = plan;
      found.folders = await measureSkipped(path.resolve(context.workingDirectory, folder), plan.skipped);
      context.report(planWords(plan, found.folders));
    },
  });
  try {
    const seconds = (performance.now() - begin) / 1000;
    if (context.json) writeJson(context.console, resultOf(tree, found, seconds));
    else context.console.data(`${resultWords(tree, seconds)}\n`);
  } finally {
    tree.close();
  }
}

function resultOf(tree: OpenedTree, found: { plan: IndexPlan | null; folders: SkippedFolder[] }, seconds: number): object {
  const { digest, files, counts, skipped } = tree;
  return {
    schemaVersion: 1,
    folder: tree.revision,
    digest,
    files: files.length,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    chunks: files.reduce((sum, file) => sum + file.chunks, 0),
    kinds: found.plan?.kinds ?? {},
    counts,
    skipped: Object.fromEntries(countReasons(skipped)),
    skippedFolders: found.folders.slice(0, MOST_FOLDERS),
    seconds: Number(seconds.toFixed(3)),
  };
}
