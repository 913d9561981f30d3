import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@reenact/domain';
import { EnvironmentVariables, SECRET_VARIABLES, readConfiguration } from '@reenact/domain/schemas';
import type { Configuration, SandboxConfiguration } from '@reenact/domain';

/** Folder of the installation: where the start script lies. */
export const INSTALLATION = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');

const DEFAULT_STATE_DIRECTORY = path.join(INSTALLATION, '.reenact');

/**
 * Configuration of this process, read once in `main.ts`; paths in it are absolute.
 * @throws AppError `config-invalid`, naming all problems and no value.
 */
export function loadConfiguration(variables: Record<string, string | undefined> = process.env): Configuration {
  const result = readConfiguration(variables, DEFAULT_STATE_DIRECTORY);
  if (result.ok) return withAbsolutePaths(result.configuration);
  const problems = result.problems.map(({ name, expected }) => `\n    ${name}: ${expected}`).join('');
  throw new AppError('config-invalid', `The environment has ${result.problems.length} wrong variable(s):${problems}`, {
    hint: 'Mend or unset them. What each one means: ./reenact config show --origin',
  });
}

function withAbsolutePaths(configuration: Configuration): Configuration {
  const { embedder, reranker, runtimeDirectory } = configuration.retrievalModels;
  const { search, sandbox } = configuration;
  return {
    ...configuration,
    sandbox: sandbox.type === 'kubernetes' ? withAbsoluteFiles(sandbox) : sandbox,
    search: search.type === 'elasticsearch' && search.caFile !== undefined ? { ...search, caFile: path.resolve(search.caFile) } : search,
    stateDirectory: path.resolve(configuration.stateDirectory),
    secretFile: configuration.secretFile === null ? null : path.resolve(configuration.secretFile),
    retrievalModels: {
      ...configuration.retrievalModels,
      embedder: embedder.type === 'onnx' ? { ...embedder, directory: path.resolve(embedder.directory) } : embedder,
      reranker: reranker.type === 'onnx' ? { ...reranker, directory: path.resolve(reranker.directory) } : reranker,
      runtimeDirectory: runtimeDirectory === null ? null : path.resolve(runtimeDirectory),
    },
  };
}

type ClusterConfiguration = Extract<SandboxConfiguration, { type: 'kubernetes' }>;

function withAbsoluteFiles(cluster: ClusterConfiguration): ClusterConfiguration {
  const { settings, kubeconfig } = cluster;
  return { ...cluster, settings: path.resolve(settings), kubeconfig: kubeconfig === null ? null : path.resolve(kubeconfig) };
}

/** One setting with where it comes from. A secret shows at most its last four characters. */
export interface ConfigurationEntry {
  name: string;
  value: string | null;
  origin: 'environment' | 'default';
  meaning: string;
}

/** Every variable that Reenact reads, with value, origin and meaning. */
export function describeConfiguration(variables: Record<string, string | undefined> = process.env): ConfigurationEntry[] {
  return Object.entries(EnvironmentVariables.shape).map(([name, schema]) => {
    const given = variables[name];
    const isGiven = given !== undefined && given !== '';
    const value = isGiven ? given : defaultOf(name, schema);
    return {
      name,
      value: value !== null && SECRET_VARIABLES.has(name) ? maskSecret(value) : value,
      origin: isGiven ? 'environment' : 'default',
      meaning: schema.description ?? '',
    };
  });
}

function defaultOf(name: string, schema: { safeParse(value: unknown): { data?: unknown } }): string | null {
  if (name === 'REENACT_STATE') return DEFAULT_STATE_DIRECTORY;
  const value = schema.safeParse(undefined).data;
  return value === undefined || value === null ? null : String(value);
}

/** `…abcd`; a short secret shows nothing of itself. */
export function maskSecret(value: string): string {
  return value.length < 12 ? '…' : `…${value.slice(-4)}`;
}

/** Variables of the worker process, which may run in another folder: those of this one, with the paths as resolved here. */
export function workerVariables(configuration: Configuration): Record<string, string | undefined> {
  const { stateDirectory, secretFile, retrievalModels, search, sandbox } = configuration;
  const { embedder, reranker, runtimeDirectory } = retrievalModels;
  return {
    ...process.env,
    REENACT_STATE: stateDirectory,
    ...(secretFile !== null && { REENACT_SECRET_FILE: secretFile }),
    ...(embedder.type === 'onnx' && { EMBEDDER_DIRECTORY: embedder.directory }),
    ...(reranker.type === 'onnx' && { RERANKER_DIRECTORY: reranker.directory }),
    ...(runtimeDirectory !== null && { ONNX_RUNTIME_DIRECTORY: runtimeDirectory }),
    ...(search.type === 'elasticsearch' && search.caFile !== undefined && { ELASTICSEARCH_CA_FILE: search.caFile }),
    ...(sandbox.type === 'kubernetes' && { KUBERNETES_SETTINGS: sandbox.settings }),
    ...(sandbox.type === 'kubernetes' && sandbox.kubeconfig !== null && { KUBECONFIG: sandbox.kubeconfig }),
  };
}

/** Whether colours are wanted: NO_COLOR and FORCE_COLOR (no-color.org) before the terminal's own nature. */
export function wantsColor(isTerminal: boolean, variables: Record<string, string | undefined> = process.env): boolean {
  if (variables['NO_COLOR']) return false;
  if (variables['FORCE_COLOR'] !== undefined) return variables['FORCE_COLOR'] !== '0';
  return isTerminal && variables['TERM'] !== 'dumb';
}
