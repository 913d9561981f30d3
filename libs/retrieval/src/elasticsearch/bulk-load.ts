import type { estypes } from '@elastic/elasticsearch';
import type { Connection } from './connection.js';
import type { ChunkDocument } from './chunk-document.js';
import { describeFailure, isPassing, isPassingFailure, readCause } from './failures.js';
import type { ServerFailure } from './failures.js';
import { withRetries } from './retries.js';

/** Size and number of requests under way (retrieval.md section 6). */
const FLUSH_BYTES = 5_000_000;
const CONCURRENCY = 2;
/** A load is worth more patience than one question: so many further tries with the last wait. */
const FURTHER_TRIES = 4;

/** A document with the chunk's id. */
export interface IdentifiedDocument {
  id: string;
  document: ChunkDocument;
}

interface Target {
  connection: Connection;
  /** Has to be an alias: an index that was deleted meanwhile is then not made anew by the server's guess. */
  alias: string;
  signal: AbortSignal;
}

/**
 * Sends documents in requests of about 5 MB, two at a time: the source is only read on when one has room. Documents that a busy
 * server turns away are sent again, with growing waits. Gives the number sent.
 *
 * The client's own helper is not used: it waits a fixed time, gives up at once where the whole request is turned away, and cannot
 * tell a full queue from a full disk.
 * @throws AppError of the first failure; whatever the source throws. Nothing is under way any more then.
 */
export async function loadDocuments(target: Target, documents: AsyncIterable<IdentifiedDocument>): Promise<number> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const start = (lines: string[]): void => {
    const sending: Promise<void> = sendLines(target, lines)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(sending));
    running.add(sending);
  };
  let sent = 0;
  let lines: string[] = [];
  let bytes = 0;
  try {
    for await (const { id, document } of documents) {
      if (failures.length > 0) break;
      // `create` instead of `index`: what a lost answer makes us send twice is then refused, and leaves no deleted copy behind.
      const line = JSON.stringify(document);
      lines.push(JSON.stringify({ create: { _id: id } }), line);
      bytes += line.length;
      sent++;
      if (bytes < FLUSH_BYTES) continue;
      while (running.size >= CONCURRENCY) await Promise.race(running);
      start(lines);
      lines = [];
      bytes = 0;
    }
    if (lines.length > 0 && failures.length === 0) start(lines);
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
  return sent;
}

async function sendLines({ connection, alias, signal }: Target, lines: string[]): Promise<void> {
  const { client, settings } = connection;
  let left = lines;
  const work = async (): Promise<void> => {
    const answer = await client.bulk(
      { index: alias, require_alias: true, operations: left, filter_path: ['errors', 'items.*.status', 'items.*.error'] },
      { signal },
    );
    const refused = answer.errors ? readRefused(left, answer.items) : [];
    const lasting = refused.find(({ failure }) => !isPassingFailure(failure));
    if (lasting !== undefined) throw describeFailure(lasting.failure, settings.url);
    left = refused.flatMap((item) => item.lines);
    if (refused[0] !== undefined) throw new TurnedAway(refused[0].failure);
  };
  const waits = settings.retryWaitsMilliseconds;
  const waitsMilliseconds = [...waits, ...Array.from({ length: FURTHER_TRIES }, () => waits.at(-1) ?? 0)];
  const passes = (error: unknown): boolean => error instanceof TurnedAway || isPassing(error);
  await withRetries(work, { url: settings.url, waitsMilliseconds, signal, passes }).catch((error: unknown) => {
    throw error instanceof TurnedAway ? describeFailure(error.failure, settings.url) : error;
  });
}

/** Some documents of a request were turned away for a passing reason. */
class TurnedAway extends Error {
  readonly failure: ServerFailure;

  constructor(failure: ServerFailure) {
    super('turned away');
    this.failure = failure;
  }
}

interface Refused {
  failure: ServerFailure;
  lines: string[];
}

/** Documents that were not taken, with their two lines; one that is there already (409) came through in an earlier try. */
function readRefused(lines: string[], items: estypes.BulkResponse['items']): Refused[] {
  return items.flatMap(({ create }, place) => {
    const status = create?.status ?? 0;
    if ((status >= 200 && status < 300) || status === 409) return [];
    return [{ failure: { status, ...readCause(create?.error) }, lines: lines.slice(2 * place, 2 * place + 2) }];
  });
}
