import type { SearchConfiguration } from '@reenact/domain';

/** How the adapter makes itself known to the cluster. */
export type ElasticsearchCredentials = { type: 'api-key'; apiKey: string } | { type: 'basic'; username: string; password: string };

/** Which cluster, and for how long it keeps what. */
export interface ElasticsearchSettings {
  /** `http(s)://host:port`, without credentials in it. */
  url: string;
  credentials?: ElasticsearchCredentials;
  /** PEM file of the authority that signed the cluster's certificate, where the system does not know it. */
  caFile?: string;
  /** Begin of every index and alias name. */
  prefix?: string;
  /** Longest wait for one answer. */
  requestTimeoutSeconds?: number;
  /** A revision that nobody opened for so long is deleted. */
  idleDays?: number;
  /** For how long a replaced index stays for those who have it open. */
  graceSeconds?: number;
  /** A load that gave no sign of life for so long is torn, and deleted. */
  tornAfterSeconds?: number;
  /** From so many embedded chunks on vectors are searched by a graph over quantised numbers, not one by one. */
  graphFrom?: number;
  /** Waits between the tries of one request that met a busy or unreachable cluster. */
  retryWaitsMilliseconds?: number[];
}

export type CompleteSettings = Required<Omit<ElasticsearchSettings, 'credentials' | 'caFile'>> &
  Pick<ElasticsearchSettings, 'credentials' | 'caFile'>;

/** Signs of life come every minute, so ten without one are no pause. */
const DEFAULTS = {
  prefix: 'reenact-chunks',
  requestTimeoutSeconds: 60,
  idleDays: 30,
  graceSeconds: 3600,
  tornAfterSeconds: 600,
  // Flat scans are exact and need no building; above, the graph pays (retrieval.md section 6).
  graphFrom: 20_000,
  retryWaitsMilliseconds: [250, 1000, 4000],
};

/** The settings with every default in place. */
export function completeSettings(settings: ElasticsearchSettings): CompleteSettings {
  return { ...DEFAULTS, ...settings };
}

/** The settings of a cluster as it is configured for a process. */
export function clusterSettings(configured: Extract<SearchConfiguration, { type: 'elasticsearch' }>): ElasticsearchSettings {
  const { url, apiKey, username, password, caFile } = configured;
  const credentials = credentialsOf({ apiKey, username, password });
  return { url, ...(credentials !== null && { credentials }), ...(caFile !== undefined && { caFile }) };
}

function credentialsOf(given: Partial<Record<'apiKey' | 'username' | 'password', string | undefined>>): ElasticsearchCredentials | null {
  const { apiKey, username, password } = given;
  if (apiKey !== undefined) return { type: 'api-key', apiKey };
  return username === undefined || password === undefined ? null : { type: 'basic', username, password };
}
