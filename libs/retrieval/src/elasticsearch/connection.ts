import { readFileSync } from 'node:fs';
import { Client } from '@elastic/elasticsearch';
import { AppError } from '@reenact/domain';
import { withRetries } from './retries.js';
import type { CompleteSettings } from './settings.js';

/** Least server versions: the client's major, and the first that takes vectors as base64 (big-endian; retrieval.md section 6). */
const MAJOR = 9;
const BASE64_MINOR = 3;

/** A cluster to send requests to. */
export interface Connection {
  settings: CompleteSettings;
  client: Client;
  /**
   * Sends one request, again where the cluster is busy or away for a moment: the only layer that does so (the client's own retries
   * are off). @throws AppError `search-…`; the signal's reason where it was aborted.
   */
  send<T>(request: (options: { signal: AbortSignal }) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Whether the server takes vectors as base64. @throws AppError `search-unsupported` for another product or version. */
  takesBase64(signal?: AbortSignal): Promise<boolean>;
}

/** A client of the cluster; nothing is sent yet. @throws AppError `config-invalid`. */
export function connect(settings: CompleteSettings): Connection {
  const client = new Client({
    node: checkUrl(settings.url),
    auth: authOf(settings),
    ...(settings.caFile === undefined ? {} : { tls: { ca: readCa(settings.caFile) } }),
    maxRetries: 0,
    requestTimeout: settings.requestTimeoutSeconds * 1000,
    redaction: { type: 'remove' },
  });
  let base64: boolean | null = null;
  const connection: Connection = {
    settings,
    client,
    send: (request, signal = new AbortController().signal) =>
      withRetries(() => request({ signal }), { url: settings.url, waitsMilliseconds: settings.retryWaitsMilliseconds, signal }),
    async takesBase64(signal) {
      base64 ??= await askVersion(connection, signal);
      return base64;
    },
  };
  return connection;
}

/** Numbers as JSON work everywhere, so a server that does not tell its version to this user gets those. */
async function askVersion({ client, settings, send }: Connection, signal?: AbortSignal): Promise<boolean> {
  const info = await send((options) => client.info({}, { ...options, ignore: [403] }), signal);
  if (info.version === undefined) return false;
  const number = String(info.version.number);
  const [major = 0, minor = 0] = number.split('.').map(Number);
  if (major >= MAJOR) return major > MAJOR || minor >= BASE64_MINOR;
  throw new AppError('search-unsupported', `${settings.url} runs Elasticsearch ${number.slice(0, 20)}; version ${MAJOR} is needed.`, {
    hint: 'Upgrade the cluster, or use the embedded index.',
  });
}

function checkUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new AppError('config-invalid', 'The address of Elasticsearch is no http or https URL.', { hint: 'Example: https://host:9200' });
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new AppError('config-invalid', 'The address of Elasticsearch holds credentials.', {
      hint: 'Give an API key, or user name and password, in their own settings.',
    });
  }
  return url;
}

function authOf({ credentials }: CompleteSettings): { apiKey: string } | { username: string; password: string } | undefined {
  if (credentials === undefined) return undefined;
  if (credentials.type === 'api-key') return { apiKey: credentials.apiKey };
  return { username: credentials.username, password: credentials.password };
}

function readCa(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new AppError('config-invalid', `The certificate authority's file cannot be read: ${file}.`, {
      cause: error,
      hint: 'Name a PEM file that this user may read.',
    });
  }
}
