import type { Connection } from './connection.js';
import { isLoadingAlias } from './index-names.js';

const DAY_MILLISECONDS = 86_400_000;

/**
 * Deletes the indices of this prefix that nobody needs: loads that gave no sign of life for long (or are named in `torn`), replaced
 * ones after their grace, revisions that nobody opened for long. Gives their names.
 */
export async function retireIndices(connection: Connection, torn: ReadonlySet<string>, signal?: AbortSignal): Promise<string[]> {
  const { client, settings } = connection;
  const found = await connection.send(
    (options) =>
      client.indices.get(
        {
          index: `${settings.prefix}-*`,
          features: ['aliases', 'mappings'],
          allow_no_indices: true,
          filter_path: ['*.aliases', '*.mappings._meta'],
        },
        options,
      ),
    signal,
  );
  const retired: string[] = [];
  for (const [index, { aliases = {}, mappings }] of Object.entries(found)) {
    const silentSeconds = (Date.now() - Date.parse(String(mappings?._meta?.['at'] ?? ''))) / 1000;
    // An index without our own note is not ours.
    if (Number.isNaN(silentSeconds)) continue;
    const isDue = torn.has(index) || silentSeconds >= patienceSeconds(Object.keys(aliases), settings);
    if (!isDue) continue;
    await connection.send((options) => client.indices.delete({ index }, { ...options, ignore: [404] }), signal);
    retired.push(index);
  }
  return retired;
}

function patienceSeconds(aliases: string[], settings: Connection['settings']): number {
  if (aliases.some(isLoadingAlias)) return settings.tornAfterSeconds;
  return aliases.length === 0 ? settings.graceSeconds : (settings.idleDays * DAY_MILLISECONDS) / 1000;
}
