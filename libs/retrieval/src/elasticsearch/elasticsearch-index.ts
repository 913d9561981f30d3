import type { ChunkIndex, IndexName } from '@reenact/domain';
import { connect } from './connection.js';
import type { Connection } from './connection.js';
import { aliasOf, ownIndices } from './index-names.js';
import { INDEX_FORMAT } from './mapping.js';
import type { IndexMeta } from './mapping.js';
import { eachChunk } from '../filed-chunks.js';
import { publishChunks } from './publish.js';
import { retireIndices } from './retire.js';
import { openSearch } from './search.js';
import { completeSettings } from './settings.js';
import type { ElasticsearchSettings } from './settings.js';

const DAY_MILLISECONDS = 86_400_000;

/** A chunk index in an Elasticsearch cluster. */
export interface ElasticsearchIndex extends ChunkIndex {
  /** Deletes torn loads, replaced indices after their grace and revisions that were not opened for long; gives the names. */
  collect(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * A chunk index in an Elasticsearch cluster of version 9: one index of one shard for each publication, an alias for each revision.
 * Every method: @throws AppError `search-unreachable`, `search-auth`, `search-unsupported`, `config-invalid`, each with what to do.
 */
export function createElasticsearchIndex(settings: ElasticsearchSettings): ElasticsearchIndex {
  const connection = connect(completeSettings(settings));
  const torn = new Set<string>();
  const collect = async (signal?: AbortSignal): Promise<string[]> => {
    const retired = await retireIndices(connection, torn, signal);
    for (const index of retired) torn.delete(index);
    return retired;
  };
  return {
    kind: 'elasticsearch',
    async publish(name, chunks, { embedding, signal = new AbortController().signal }) {
      signal.throwIfAborted();
      await connection.takesBase64(signal);
      // First, since it may be what makes room.
      await collect(signal);
      await publishChunks(connection, { name, chunks: eachChunk(chunks), embedding, signal, onTorn: (index) => torn.add(index) });
    },
    async open(name) {
      const found = await findPublished(connection, name);
      if (found === null) return null;
      await noteUse(connection, found);
      return openSearch({ connection, ...found });
    },
    async remove(name) {
      for (const index of await indicesOf(connection, name)) {
        await connection.send((options) => connection.client.indices.delete({ index }, { ...options, ignore: [404] }));
      }
    },
    collect: () => collect(),
    close: () => connection.client.close(),
  };
}

interface Published {
  index: string;
  meta: IndexMeta;
}

/** The index that a revision's alias points to: the newest, where two publications at once left two. */
async function findPublished({ client, send, settings }: Connection, name: IndexName): Promise<Published | null> {
  const alias = aliasOf(settings.prefix, name);
  const found = await send((options) => client.indices.get({ index: alias, features: ['mappings'] }, { ...options, ignore: [404] }));
  const [index] = ownIndices(found, alias).reverse();
  const meta = index === undefined ? undefined : (found[index]?.mappings?._meta as IndexMeta | undefined);
  return index === undefined || meta?.format !== INDEX_FORMAT ? null : { index, meta };
}

async function indicesOf({ client, send, settings }: Connection, name: IndexName): Promise<string[]> {
  const alias = aliasOf(settings.prefix, name);
  return ownIndices(await send((options) => client.indices.getAlias({ name: alias }, { ...options, ignore: [404] })), alias);
}

/** Once a day; whoever may only read leaves no trace, and the index then lives as long as since its publication. */
async function noteUse({ client }: Connection, { index, meta }: Published): Promise<void> {
  if (Date.now() - Date.parse(meta.at) < DAY_MILLISECONDS) return;
  await client.indices.putMapping({ index, _meta: { ...meta, at: new Date().toISOString() } }).catch(() => undefined);
}
