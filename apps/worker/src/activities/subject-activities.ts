import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { Claim, Environment, Report } from '@reenact/domain/schemas';
import type { Subject, SubjectActivities, SubjectAddress } from '@reenact/domain';
import { describeAddress, prepareSubject } from '@reenact/sandbox';
import { withHeartbeat } from '@reenact/temporal/worker';
import { applyPatch, diffTrees } from '@reenact/verdict';
import type { Dependencies } from '../dependencies.js';
import { getJson, getText, putJson } from '../json-artifacts.js';
import { packageFolders } from '../package-folders.js';

/** Snapshots of the subject and of its fixed form, and the contexts chosen from it. */
export function createSubjectActivities(deps: Dependencies): SubjectActivities {
  const freeze = (address: SubjectAddress, reportDate: string | null): Promise<Subject> =>
    withHeartbeat(({ signal }) =>
      prepareSubject({ store: deps.artifacts, workDirectory: deps.workDirectory, interpreter: deps.interpreter }, address, {
        reportDate,
        signal,
      }),
    );

  return {
    async prepareSubject({ address, treeHash, reportDate }) {
      const subject = treeHash === null ? await freeze(address, reportDate) : await describeStored(deps, address, treeHash);
      const revision = subject.revision === null ? '' : ` at ${subject.revision.slice(0, 12)}`;
      const notes = subject.notes.length === 0 ? '' : `; ${subject.notes.join('; ')}`;
      const summary = `subject ${describeAddress(address)}${revision}: ${subject.fileCount} files, tree ${subject.treeHash.slice(0, 12)}${notes}`;
      return { treeHash: subject.treeHash, subject: await putJson(deps.artifacts, subject), summary };
    },

    async prepareFixed({ subject, fixed, treeHash: frozen, reportDate }) {
      if (fixed.type === 'patch') {
        const text = await getText(deps.artifacts, fixed.patch);
        const treeHash = await patchedTree(deps, subject.treeHash, text);
        return { treeHash, label: 'the subject with the patch given', patch: fixed.patch };
      }
      const treeHash = frozen ?? (await freeze(fixed, reportDate)).treeHash;
      const difference = await diffTrees(await deps.trees.pathOf(subject.treeHash), await deps.trees.pathOf(treeHash));
      const patch = difference === '' ? null : await deps.artifacts.putBytes(Buffer.from(difference));
      return { treeHash, label: describeAddress(fixed), patch };
    },

    async retrieveContexts({ report, claim, treeHash, environment }) {
      const { title, text } = await getJson(deps.artifacts, report, Report);
      const { frames, symbols } = await getJson(deps.artifacts, claim, Claim);
      const installed = environment === undefined ? [] : packageFolders(await getJson(deps.artifacts, environment, Environment));
      const query = { title, body: text, frames, symbols };
      const found = await withHeartbeat(async ({ signal, note }) =>
        deps.contexts.retrieve({ directory: await deps.trees.pathOf(treeHash), hash: treeHash }, query, {
          installed,
          signal,
          onProgress: note,
        }),
      );
      const contexts = [];
      for (const context of found.contexts) {
        const files = [...new Set(context.blocks.map((block) => block.file))];
        contexts.push({
          context: await putJson(deps.artifacts, context),
          rank: context.rank,
          summary: `${context.module || '.'}: ${files.slice(0, 5).join(', ')}`,
        });
      }
      return { contexts, ranking: found.ranking };
    },
  };
}

async function describeStored(deps: Dependencies, address: SubjectAddress, treeHash: string): Promise<Subject> {
  // The folder may have changed since the run was asked for: what counts is the tree that was frozen then.
  const directory = await deps.trees.pathOf(treeHash);
  const frozen = await prepareSubject(
    { store: deps.artifacts, workDirectory: deps.workDirectory, interpreter: deps.interpreter },
    { type: 'folder', path: directory },
    { reportDate: null, signal: new AbortController().signal },
  );
  return { ...frozen, address, treeHash };
}

/** Stores a tree with a patch applied. @throws AppError `patch-does-not-apply`. */
export function patchedTree(deps: Dependencies, treeHash: string, patch: string): Promise<string> {
  return inCopy(deps, treeHash, async (directory) => {
    await applyPatch(directory, patch);
    return deps.artifacts.putTree(directory);
  });
}

/** Runs work on a private, writable copy of a tree. */
export async function inCopy<T>(deps: Dependencies, treeHash: string, work: (directory: string) => Promise<T>): Promise<T> {
  await mkdir(deps.workDirectory, { recursive: true });
  const scratch = await mkdtemp(path.join(deps.workDirectory, 'copy-'));
  try {
    const directory = path.join(scratch, 'project');
    await deps.artifacts.checkoutTree(treeHash, directory);
    return await work(directory);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
