import type { IndexName, SearchableChunk } from '@reenact/domain';
import { AppError } from '@reenact/domain';
import { loadDocuments } from './bulk-load.js';
import type { IdentifiedDocument } from './bulk-load.js';
import { toDocument } from './chunk-document.js';
import type { Connection } from './connection.js';
import { aliasOf, loadingAliasOf, newIndexName, ownIndices } from './index-names.js';
import { INDEX_FORMAT, indexDefinition, vectorField } from './mapping.js';
import type { IndexMeta } from './mapping.js';

const SIGN_OF_LIFE_MILLISECONDS = 60_000;

/** What is published, and by whom it may be given up. */
export interface Publication {
  name: IndexName;
  chunks: Iterable<SearchableChunk> | AsyncIterable<SearchableChunk>;
  embedding: string | null;
  signal: AbortSignal;
  /** Called with the name of a new index that could not be deleted after a failure. */
  onTorn: (index: string) => void;
}

/** An index that is being loaded. */
interface Load {
  connection: Connection;
  index: string;
  meta: IndexMeta;
  signal: AbortSignal;
}

/**
 * Loads a new index and lets the revision's alias point to it, in one action after everything is in; until then, and where anything
 * fails, the alias points to what was there. The replaced index stays for a while for those who have it open.
 */
export async function publishChunks(connection: Connection, publication: Publication): Promise<void> {
  const { name, embedding, signal } = publication;
  const { client, settings } = connection;
  const alias = aliasOf(settings.prefix, name);
  const isBase64 = await connection.takesBase64(signal);
  const index = newIndexName(alias);
  const at = new Date().toISOString();
  const meta = { format: INDEX_FORMAT, at, embedding, dimensions: null, vectorSearch: null, chunks: 0, pending: 0 };
  const load: Load = { connection, index, meta, signal };
  const definition = { ...indexDefinition(meta), aliases: { [loadingAliasOf(index)]: {} } };
  await connection.send((options) => client.indices.create({ index, ...definition }, { ...options, ignore: [] }), signal);
  const life = setInterval(() => void storeMeta(load).catch(() => undefined), SIGN_OF_LIFE_MILLISECONDS);
  try {
    await fill(load, documentsOf(load, publication.chunks, isBase64));
    clearInterval(life);
    await storeMeta(load);
    await pointAlias(load, alias);
  } catch (error) {
    clearInterval(life);
    // Once, and without the signal: it may be what ended the load.
    await client.indices.delete({ index }, { ignore: [404] }).catch(() => publication.onTorn(index));
    throw error;
  }
}

async function fill({ connection, index, meta, signal }: Load, documents: AsyncIterable<IdentifiedDocument>): Promise<void> {
  const { client, settings } = connection;
  const sent = await loadDocuments({ connection, alias: loadingAliasOf(index), signal }, documents);
  await connection.send((options) => client.indices.refresh({ index }, options), signal);
  const { count } = await connection.send((options) => client.count({ index }, options), signal);
  if (count === sent && count === meta.chunks) return;
  throw new AppError('internal', `${settings.url} holds ${count} of ${sent} chunks after a load.`, {
    hint: 'Two chunks with one id, or an index that somebody else wrote into. Index again.',
  });
}

/** Makes documents, counts them, and names the vectors' field as soon as their length is known. */
async function* documentsOf(load: Load, chunks: Publication['chunks'], isBase64: boolean): AsyncGenerator<IdentifiedDocument> {
  const { meta, signal } = load;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    if (chunk.vector !== null) await prepareVectors(load, chunk.vector.length);
    meta.chunks++;
    if (chunk.vector === null) meta.pending++;
    yield { id: chunk.id, document: toDocument(chunk, isBase64) };
  }
}

async function prepareVectors({ connection, index, meta, signal }: Load, length: number): Promise<void> {
  const { client, settings } = connection;
  const embedded = meta.chunks - meta.pending;
  const vectorSearch = embedded >= settings.graphFrom ? 'int8_hnsw' : 'flat';
  if (meta.dimensions === length && (meta.vectorSearch === vectorSearch || meta.vectorSearch === 'int8_hnsw')) return;
  if (meta.dimensions !== null && meta.dimensions !== length) {
    throw new AppError('internal', `Vectors of ${meta.dimensions} and of ${length} numbers in one index.`);
  }
  await connection.send((options) => client.indices.putMapping({ index, ...vectorField(length, vectorSearch) }, options), signal);
  meta.dimensions = length;
  meta.vectorSearch = vectorSearch;
}

/** Keeps what the index tells about itself, with a new sign of life. */
async function storeMeta({ connection, index, meta, signal }: Load): Promise<void> {
  meta.at = new Date().toISOString();
  await connection.send((options) => connection.client.indices.putMapping({ index, _meta: { ...meta } }, options), signal);
}

/** One change of the cluster's state: whoever opens the revision gets the old index or the new one. */
async function pointAlias({ connection, index, signal }: Load, alias: string): Promise<void> {
  const { client } = connection;
  const replaced = await connection.send((options) => client.indices.getAlias({ name: alias }, { ...options, ignore: [404] }), signal);
  const actions = [
    { remove: { index: `${alias}-*`, alias, must_exist: false } },
    { remove: { index, alias: loadingAliasOf(index) } },
    { add: { index, alias } },
  ];
  await connection.send((options) => client.indices.updateAliases({ actions }, options), signal);
  await leaveNewest(connection, alias, signal);
  for (const old of ownIndices(replaced, alias)) await markReplaced(connection, old);
}

/**
 * The server looks up what `alias-*` stands for before it changes anything, so two publications at once may both stay. Each looks once
 * more when its own change is made: whichever is last sees both, and lets the older one go.
 */
async function leaveNewest({ client, send }: Connection, alias: string, signal: AbortSignal): Promise<void> {
  const pointed = await send((options) => client.indices.getAlias({ name: alias }, { ...options, ignore: [404] }), signal);
  const older = ownIndices(pointed, alias).slice(0, -1);
  if (older.length === 0) return;
  const actions = older.map((index) => ({ remove: { index, alias, must_exist: false } }));
  await send((options) => client.indices.updateAliases({ actions }, { ...options, ignore: [404] }), signal);
}

/** Lets the time of those who have the old index open begin; without it the time counts from the last use. */
async function markReplaced({ client }: Connection, index: string): Promise<void> {
  const mapping = await client.indices.getMapping({ index }).catch(() => null);
  const meta = mapping?.[index]?.mappings._meta;
  if (meta === undefined) return;
  await client.indices.putMapping({ index, _meta: { ...meta, at: new Date().toISOString() } }).catch(() => undefined);
}
