import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder that is dear to make, such as what a test needs installed, where it is not there: in an empty one beside it that is
 * renamed, so that one that was ended is begun again, and two at once do no harm.
 * @param directory absolute path.
 * @throws what `make` throws; nothing is left of it then.
 */
export async function makeFolderOnce(directory: string, make: (aside: string) => Promise<void>): Promise<void> {
  if (existsSync(directory)) return;
  await mkdir(dirname(directory), { recursive: true });
  const aside = await mkdtemp(`${directory}.new-`);
  try {
    await make(aside);
    await rename(aside, directory).catch((error: unknown) => {
      if (!existsSync(directory)) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
