import { afterEach, expect, it } from 'vitest';
import { connect } from './connection.js';
import { openSearch } from './search.js';
import { completeSettings } from './settings.js';
import { startStub } from './testing/stub-server.js';
import type { StubServer } from './testing/stub-server.js';

let stub: StubServer | null = null;
afterEach(async () => {
  await stub?.close();
});

/** Bodies of the searches of a multi-search, which come after a head each. */
function searchesOf(body: string): { size: number }[] {
  const lines = body.trim().split('\n');
  return lines.flatMap((line, place) => (place % 2 === 0 ? [] : [JSON.parse(line) as { size: number }]));
}

it('asks a server for no more than it gives, whatever the limit', async () => {
  stub = await startStub(({ body }) => ({ body: { responses: searchesOf(body).map(() => ({ status: 200, hits: { hits: [] } })) } }));
  const meta = { format: 1, at: '', embedding: 'e', dimensions: 1, vectorSearch: 'flat' as const, chunks: 60_000, pending: 50_000 };
  const search = openSearch({ connection: connect(completeSettings({ url: stub.url })), index: 'i', meta });
  const answer = await search.search({ tokens: ['a'], vector: Float32Array.of(1), limit: 60_000 });
  expect(answer).toMatchObject({ hits: [], chunks: 60_000, pending: 50_000 });
  const sizes = stub.seen.flatMap(({ body }) => searchesOf(body).map(({ size }) => size));
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBe(5000);
});
