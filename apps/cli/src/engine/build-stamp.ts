import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { contentId } from '@reenact/domain';
import type { Configuration } from '@reenact/domain';

/**
 * What a running worker was built from and configured with: equal stamps mean that it may be used as it is. Of each package the
 * compiler's build record counts, which changes with its sources; of the configuration a digest, so that no secret is written.
 *
 * @param installation folder with `apps`, `libs` and `workflows`.
 */
export async function workerStamp(installation: string, configuration: Configuration): Promise<string> {
  const hash = createHash('sha256');
  for (const room of ['apps', 'libs', 'workflows']) {
    for (const name of (await readdir(path.join(installation, room)).catch(() => [])).sort()) {
      for (const file of ['.tsbuildinfo', 'workflow-bundle.js'])
        hash.update(await factsOf(path.join(installation, room, name, 'dist', file)));
    }
  }
  // the search path differs from shell to shell and is left out, else callers would replace each other's worker
  hash.update(contentId({ ...configuration, searchPath: '' }));
  return hash.digest('hex').slice(0, 16);
}

async function factsOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return found === null ? '' : `${file} ${found.size} ${found.mtimeMs}\n`;
}
