import type { ChunkIndex, ChunkSearch, IndexName } from '@reenact/domain';
import { AppError, isAppError } from '@reenact/domain';

/** Who hears what a user should know. */
export interface Notified {
  /** Gets a sentence where a torn index is made anew. */
  onNotice?: (message: string) => void;
}

/** Opens a revision; null where there is none, or a torn one, which is told: the caller publishes it. */
export async function openWhole(index: ChunkIndex, name: IndexName, { onNotice }: Notified): Promise<ChunkSearch | null> {
  return index.open(name).catch((error: unknown) => {
    if (!isAppError(error) || error.code !== 'index-damaged') throw error;
    onNotice?.(`${error.message} It is made anew.`);
    return null;
  });
}

/** Opens what was published a moment ago. @throws AppError `internal` where it is gone. */
export async function openPublished(index: ChunkIndex, name: IndexName): Promise<ChunkSearch> {
  const made = await index.open(name);
  if (made !== null) return made;
  throw new AppError('internal', `The search index of ${name.repository} went away after it was made.`, {
    hint: 'Try again; it is made anew.',
  });
}
