import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@reenact/domain';
import { parse } from 'yaml';
import type { KubeConnectionOptions } from './kube-connection.js';

/** A cluster as a kubeconfig file names it. */
export interface KubeconfigContext {
  connection: KubeConnectionOptions;
  /** Namespace of the context; null = none is set. */
  namespace: string | null;
}

type Fields = Record<string, unknown>;

/** What is not followed: it would weaken the connection, or start a program that a worker would have to run unattended for weeks. */
const REFUSED = {
  cluster: ['insecure-skip-tls-verify', 'proxy-url', 'tls-server-name'],
  user: ['exec', 'auth-provider', 'username', 'password', 'as', 'as-groups'],
} as const;

/**
 * Reads one context of a kubeconfig file: addresses, certificates and tokens, given in the file or in files beside it.
 *
 * @param name the context; null = the file's current one.
 * @throws AppError `config-invalid` with what is missing, never with a value of the file.
 */
export async function readKubeconfig(file: string, name: string | null = null): Promise<KubeconfigContext> {
  const config = await readYaml(file);
  const fail = (words: string, hint?: string): AppError =>
    new AppError('config-invalid', `${file}: ${words}`, hint === undefined ? {} : { hint });
  const find = (list: unknown, wanted: unknown, part: string): Fields => {
    const entries = Array.isArray(list) ? (list as Fields[]) : [];
    const entry = entries.find((one) => one['name'] === wanted)?.[part];
    if (typeof entry !== 'object' || entry === null) throw fail(`there is no ${part} ${JSON.stringify(wanted)}`);
    return entry as Fields;
  };
  const context = find(config['contexts'], name ?? config['current-context'], 'context');
  const cluster = find(config['clusters'], context['cluster'], 'cluster');
  const user = find(config['users'], context['user'], 'user');
  const refused = [...refusedIn(cluster, REFUSED.cluster), ...refusedIn(user, REFUSED.user)];
  if (refused.length > 0)
    throw fail(`it asks for ${refused.join(', ')}`, 'use a client certificate, or the token of a service account in tokenFile');
  const server = textOf(cluster, 'server');
  if (server === null) throw fail('its cluster has no server');
  const read = async (from: Fields, key: string): Promise<string | null> => await readMaterial(from, key, file);
  const certificate = await read(user, 'client-certificate');
  const key = await read(user, 'client-key');
  if ((certificate === null) !== (key === null)) throw fail('there is a client certificate without key, or a key without certificate');
  return {
    connection: {
      server,
      authority: await read(cluster, 'certificate-authority'),
      token: tokenOf(user, file),
      client: certificate === null || key === null ? null : { certificate, key },
    },
    namespace: textOf(context, 'namespace'),
  };
}

async function readYaml(file: string): Promise<Fields> {
  let value: unknown;
  try {
    value = parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new AppError('config-invalid', `the kubeconfig ${file} cannot be read`, { cause, hint: 'KUBECONFIG names one file' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('config-invalid', `${file} is no kubeconfig`, { hint: 'KUBECONFIG names one file' });
  return value as Fields;
}

function refusedIn(from: Fields, names: readonly string[]): string[] {
  return names.filter((name) => from[name] !== undefined && from[name] !== false && from[name] !== '');
}

function textOf(from: Fields, key: string): string | null {
  const value = from[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** PEM text from `<key>-data` (base64) or from the file that `<key>` names, relative to the kubeconfig. */
async function readMaterial(from: Fields, key: string, file: string): Promise<string | null> {
  const data = textOf(from, `${key}-data`);
  if (data !== null) return Buffer.from(data, 'base64').toString('utf8');
  const named = textOf(from, key);
  if (named === null) return null;
  try {
    return await readFile(path.resolve(path.dirname(file), named), 'utf8');
  } catch (cause) {
    throw new AppError('config-invalid', `${file}: its ${key} cannot be read`, { cause });
  }
}

/** A token file is read anew each time, since whoever issues tokens renews it. */
function tokenOf(user: Fields, file: string): (() => Promise<string>) | null {
  const named = textOf(user, 'tokenFile');
  if (named !== null) {
    const from = path.resolve(path.dirname(file), named);
    return async () => (await readFile(from, 'utf8')).trim();
  }
  const token = textOf(user, 'token');
  return token === null ? null : () => Promise.resolve(token);
}
