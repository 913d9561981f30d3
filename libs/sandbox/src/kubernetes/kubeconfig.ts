import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@reenact/domain';
import { connectTo } from './kube-connection.js';
import type { KubeConnection } from './kube-connection.js';
import { parseJson } from './kube-request.js';

type Fields = Record<string, unknown>;

/** What a kubeconfig may ask for that is refused: each would weaken the connection or start a program. */
const REFUSED = {
  cluster: ['insecure-skip-tls-verify', 'proxy-url', 'tls-server-name'],
  user: ['exec', 'auth-provider', 'username', 'password', 'as', 'as-groups'],
} as const;

/**
 * The connection of a kubeconfig's current context, with a client certificate or a token. The file is JSON, the form that kubectl prints:
 * YAML has more ways to say a thing than credentials need.
 *
 * @param text `kubectl config view --raw --flatten --minify -o json`; paths in it are taken from `directory`.
 * @throws AppError `config-invalid` where it is not understood, lacks something or asks for what is refused.
 */
export async function connectByKubeconfig(text: string, directory: string): Promise<KubeConnection> {
  const config = fieldsOf(parseJson(text));
  if (config['kind'] !== 'Config')
    throw invalid('is no JSON', 'write it with `kubectl config view --raw --flatten --minify -o json` and name that file');
  const context = named(config, 'contexts', config['current-context'], 'context');
  const cluster = named(config, 'clusters', context['cluster'], 'cluster');
  const user = named(config, 'users', context['user'], 'user');
  refuse(cluster, REFUSED.cluster);
  refuse(user, REFUSED.user);
  const server = cluster['server'];
  if (typeof server !== 'string') throw invalid('names no server');
  const [authority, certificate, key] = await Promise.all([
    pemOf(cluster, 'certificate-authority', directory),
    pemOf(user, 'client-certificate', directory),
    pemOf(user, 'client-key', directory),
  ]);
  if ((certificate === null) !== (key === null)) throw invalid('has a client certificate without key, or a key without certificate');
  return connectTo({
    server,
    authority,
    token: tokenOf(user, directory),
    client: certificate === null || key === null ? null : { certificate, key },
  });
}

function tokenOf(user: Fields, directory: string): (() => Promise<string>) | null {
  const { token, tokenFile } = user;
  if (typeof tokenFile === 'string' && tokenFile !== '') {
    const file = path.resolve(directory, tokenFile);
    return async () => (await readFile(file, 'utf8')).trim();
  }
  return typeof token === 'string' && token !== '' ? () => Promise.resolve(token) : null;
}

/** PEM that is there itself, in base64, or in a file. */
async function pemOf(fields: Fields, name: string, directory: string): Promise<string | null> {
  const data = fields[`${name}-data`];
  if (typeof data === 'string' && data !== '') return Buffer.from(data, 'base64').toString('utf8');
  const file = fields[name];
  if (typeof file !== 'string' || file === '') return null;
  return readFile(path.resolve(directory, file), 'utf8').catch((cause: unknown) => {
    throw new AppError('config-invalid', `the ${name} that the kubeconfig names cannot be read`, { cause });
  });
}

function named(config: Fields, list: string, name: unknown, kind: string): Fields {
  const entries = Array.isArray(config[list]) ? config[list].map(fieldsOf) : [];
  const found = typeof name === 'string' ? entries.find((entry) => entry['name'] === name) : undefined;
  if (found === undefined) throw invalid(`has no ${kind} ${typeof name === 'string' ? JSON.stringify(name) : 'for its current context'}`);
  return fieldsOf(found[kind]);
}

function refuse(fields: Fields, names: readonly string[]): void {
  const found = names.filter((name) => fields[name] !== undefined && fields[name] !== false && fields[name] !== '');
  if (found.length > 0) throw invalid(`asks for ${found.join(', ')}`, 'use a client certificate or the token of a service account');
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function invalid(words: string, hint?: string): AppError {
  return new AppError('config-invalid', `the kubeconfig ${words}`, hint === undefined ? {} : { hint });
}
