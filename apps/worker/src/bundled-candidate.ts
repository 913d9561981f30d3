import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Candidate } from '@reenact/domain';
import type { Bundle } from '@reenact/verdict';

/** The script of a stored bundle as a candidate again, for the static checks. */
export async function bundledCandidate(bundle: Bundle): Promise<Candidate> {
  const names = (await readdir(bundle.scriptDirectory).catch(() => [])).sort();
  const files = await Promise.all(
    names.map(async (name) => ({ path: name, text: await readFile(path.join(bundle.scriptDirectory, name), 'utf8') })),
  );
  return {
    schemaVersion: 1,
    id: bundle.manifest.id.slice(0, 12),
    origin: 'given',
    files,
    launch: bundle.launch,
    source: 'a stored bundle',
    repairs: [],
  };
}
