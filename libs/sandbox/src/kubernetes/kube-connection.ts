import { Agent as HttpAgent } from 'node:http';
import { readFile } from 'node:fs/promises';
import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import path from 'node:path';
import { AppError } from '@reenact/domain';

/** How an API server is reached. */
export interface KubeConnectionOptions {
  /** `https://host:port`, or plain HTTP to this machine. */
  server: string;
  /** Certificates that sign the server's, PEM; null = those of the system. */
  authority: string | null;
  /** Bearer token, asked for before each request since it may have been renewed; null = none. */
  token: (() => Promise<string>) | null;
  /** Client certificate and key, PEM; null = none. */
  client: { certificate: string; key: string } | null;
}

/** A connection with sockets that are shared by all requests over it. */
export interface KubeConnection {
  readonly server: URL;
  readonly agent: HttpAgent | HttpsAgent;
  token(): Promise<string | null>;
  /** Closes idle sockets, and those in use. */
  close(): void;
}

/** Connections that stay open between requests. */
const IDLE_SOCKETS = 8;
const KEEP_ALIVE_MILLISECONDS = 15_000;

/**
 * A connection to an API server: one set of sockets for all requests, so that a handshake is paid once.
 *
 * @throws AppError `config-invalid` for an address that is none, or that would send credentials in the clear to another machine.
 */
export function connectTo(options: KubeConnectionOptions): KubeConnection {
  const server = serverUrl(options.server);
  const shared = { keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MILLISECONDS, maxFreeSockets: IDLE_SOCKETS, scheduling: 'lifo' as const };
  const credentials = {
    ...(options.authority === null ? {} : { ca: options.authority }),
    ...(options.client === null ? {} : { cert: options.client.certificate, key: options.client.key }),
  };
  const agent = server.protocol === 'https:' ? new HttpsAgent({ ...shared, ...credentials }) : new HttpAgent(shared);
  return {
    server,
    agent,
    token: async () => (options.token === null ? null : await options.token()),
    close: () => agent.destroy(),
  };
}

function serverUrl(text: string): URL {
  if (!URL.canParse(text)) throw new AppError('config-invalid', 'the address of the API server is no URL', { hint: 'https://host:port' });
  const url = new URL(text);
  const isHere = url.hostname === 'localhost' || url.hostname === '[::1]' || (isIP(url.hostname) === 4 && url.hostname.startsWith('127.'));
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isHere)) return url;
  throw new AppError('config-invalid', `the API server ${url.host} is to be reached by https`, {
    hint: 'plain http is for servers on this machine only',
  });
}

/** Where a pod finds what its service account is given. */
const ACCOUNT_DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The connection of a process in a pod, by its service account. The token is read anew each time, since the kubelet renews the file.
 *
 * @throws AppError `config-invalid` outside of a pod.
 */
export async function connectFromPod(
  { host, port }: { host: string | null; port: number | null },
  directory = ACCOUNT_DIRECTORY,
): Promise<KubeConnection> {
  if (host === null || port === null)
    throw new AppError('config-invalid', 'this process runs in no pod: KUBERNETES_SERVICE_HOST and _PORT are not set', {
      hint: 'set KUBECONFIG',
    });
  const authority = await readFile(path.join(directory, 'ca.crt'), 'utf8').catch((cause: unknown) => {
    throw new AppError('config-invalid', `the service account in ${directory} cannot be read`, { cause });
  });
  const token = async (): Promise<string> => (await readFile(path.join(directory, 'token'), 'utf8')).trim();
  return connectTo({ server: `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, authority, token, client: null });
}
