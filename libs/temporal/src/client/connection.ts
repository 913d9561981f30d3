import { Client, Connection } from '@temporalio/client';
import type { TLSConfig } from '@temporalio/client';
import { AppError } from '@reenact/domain';
import { dataConverter } from './data-converter.js';

/** How to reach a Temporal server; plain data, the same for client and worker. */
export interface TemporalConnectionOptions {
  /** `host:port` of the gRPC frontend. */
  address: string;
  namespace: string;
  /** true = TLS with the system's roots; absent = plain text, unless an API key is given. */
  tls?: boolean | TemporalTls | undefined;
  apiKey?: string | undefined;
}

/** Certificates in PEM. */
export interface TemporalTls {
  serverRootCaCertificate?: Uint8Array | undefined;
  clientCertificate?: Uint8Array | undefined;
  clientKey?: Uint8Array | undefined;
  /** Name to expect in the server's certificate where it differs from the address. */
  serverName?: string | undefined;
}

/** A connected client; `close` ends its connection. */
export interface TemporalClient {
  client: Client;
  connection: Connection;
  close(): Promise<void>;
}

const DEFAULT_CONNECT_TIMEOUT_SECONDS = 10;

/**
 * Connects to a server; the connection reconnects by itself later.
 * @throws AppError `temporal-unreachable` when nothing answers in time, `config-invalid` when the certificates are incomplete.
 */
export async function connectTemporal(
  options: TemporalConnectionOptions,
  timeoutSeconds: number = DEFAULT_CONNECT_TIMEOUT_SECONDS,
): Promise<TemporalClient> {
  const { address, namespace, apiKey } = options;
  const tls = tlsConfig(options);
  try {
    const connection = await Connection.connect({
      address,
      connectTimeout: timeoutSeconds * 1000,
      ...(tls && { tls }),
      ...(apiKey && { apiKey }),
    });
    const client = new Client({ connection, namespace, dataConverter: dataConverter() });
    return { client, connection, close: () => connection.close() };
  } catch (error) {
    throw unreachable(address, error);
  }
}

/** The error for a server that does not answer. */
export function unreachable(address: string, cause: unknown): AppError {
  return new AppError('temporal-unreachable', `No Temporal server answers at ${address}.`, {
    hint: 'Check the address, or give none: then a local server is started.',
    cause,
  });
}

/**
 * TLS settings in the SDK's form; undefined = plain text.
 * @throws AppError `config-invalid` when only one half of a client certificate is given.
 */
export function tlsConfig(options: TemporalConnectionOptions): TLSConfig | true | undefined {
  const { tls, apiKey } = options;
  if (tls === undefined || typeof tls === 'boolean') return tls === true || (tls === undefined && apiKey) ? true : undefined;
  const { clientCertificate: crt, clientKey: key } = tls;
  if ((crt === undefined) !== (key === undefined)) {
    throw new AppError('config-invalid', 'A client certificate for Temporal needs both the certificate and its key.', {
      hint: 'Give both, or neither.',
    });
  }
  return {
    ...(tls.serverRootCaCertificate && { serverRootCACertificate: Buffer.from(tls.serverRootCaCertificate) }),
    ...(tls.serverName !== undefined && { serverNameOverride: tls.serverName }),
    ...(crt && key && { clientCertPair: { crt: Buffer.from(crt), key: Buffer.from(key) } }),
  };
}
