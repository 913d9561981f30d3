import { lstat, readFile, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { deflateSync } from 'node:zlib';

/** What a pod is given: the bundle's script and the tree of the arm. */
export interface PayloadDirectories {
  script: string;
  subject: string;
}

/** One entry of a payload, as `supervisor/reenact_supervisor/pod/payload.py` reads it. */
type Entry =
  | { path: string; kind: 'directory' }
  | { path: string; kind: 'link'; to: string }
  | { path: string; kind: 'file'; bytes: number; executable: boolean };

/**
 * Packs both folders into one compressed stream: for each entry a line of JSON, and the content of a file behind its line. Entries are
 * sorted and carry no time, owner or other mode than executable, so that equal trees give equal bytes. Sockets and devices are left out.
 */
export async function packPayload(directories: PayloadDirectories): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const root of ['script', 'subject'] as const) await addDirectory(directories[root], root, parts);
  return deflateSync(Buffer.concat(parts), { level: 9 });
}

async function addDirectory(directory: string, name: string, parts: Uint8Array[]): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    const from = path.join(directory, entry.name);
    const inner = `${name}/${entry.name}`;
    if (entry.isDirectory()) {
      parts.push(lineOf({ path: inner, kind: 'directory' }));
      await addDirectory(from, inner, parts);
    } else if (entry.isSymbolicLink()) parts.push(lineOf({ path: inner, kind: 'link', to: await readlink(from) }));
    else if (entry.isFile()) {
      const content = await readFile(from);
      const executable = ((await lstat(from)).mode & 0o100) !== 0;
      parts.push(lineOf({ path: inner, kind: 'file', bytes: content.length, executable }), content);
    }
  }
}

function lineOf(entry: Entry): Uint8Array {
  return Buffer.from(`${JSON.stringify(entry)}\n`);
}
