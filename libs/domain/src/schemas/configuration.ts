import { z } from 'zod';
import { ModelVariables, readRetrievalModels } from './model-configuration.js';
import type { RetrievalModels } from './model-configuration.js';
import { readSandbox, SandboxVariables } from './sandbox-configuration.js';
import type { SandboxConfiguration } from './sandbox-configuration.js';
import { readSearch, SearchVariables } from './search-configuration.js';
import type { SearchConfiguration } from './search-configuration.js';

const optional = z
  .string()
  .optional()
  .transform((value) => (value === undefined || value === '' ? null : value));
const number = (fallback: number) => z.coerce.number().min(0).default(fallback);

/** Every environment variable that Reenact reads. `reenact config show --origin` prints them; secrets are never printed. */
export const EnvironmentVariables = z.object({
  REENACT_STATE: optional.describe('folder for everything that Reenact keeps; default: .reenact beside the start script'),
  REENACT_IDLE_MINUTES: number(30).describe('minutes without an open run after which server and worker end by themselves'),
  REENACT_SECRET_FILE: optional.describe(
    'file with the secret of this installation, at least 32 characters, where workers share one; default: made once',
  ),
  REENACT_PYTHON: optional.describe('Python ≥ 3.8 for the supervisor and for pip; default: python3 on PATH'),
  TEMPORAL_ADDRESS: optional.describe('host:port of an existing Temporal cluster'),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('namespace there'),
  TEMPORAL_API_KEY: optional.describe('API key of the cluster; turns TLS on (secret)'),
  TEMPORAL_CLI: optional.describe('path of a temporal executable for the dev server'),
  LLM_BASE_URL: optional.describe('base URL of an OpenAI-compatible endpoint'),
  LLM_API_KEY: optional.describe('its key (secret)'),
  LLM_MODEL: optional.describe('model name; without it nothing is asked of a model'),
  LLM_API: z.enum(['chat', 'responses']).default('chat').describe('wire protocol: chat or responses'),
  LLM_PRICE_INPUT: z.coerce.number().min(0).optional().describe('USD per million input tokens, where the price table lacks the model'),
  LLM_PRICE_OUTPUT: z.coerce.number().min(0).optional().describe('USD per million output tokens'),
  LLM_RECORD: optional.describe('folder into which every model call is recorded'),
  LLM_REPLAY: optional.describe('folder of recorded calls; no endpoint is then asked'),
  ...ModelVariables.shape,
  ...SearchVariables.shape,
  ...SandboxVariables.shape,
});

export interface ModelConfiguration {
  baseUrl: string | null;
  apiKey: string | null;
  name: string;
  api: 'chat' | 'responses';
  price: { input: number; output: number } | null;
  record: string | null;
  replay: string | null;
}

/** Configuration of a process: read once in its `main.ts`, frozen, handed down. */
export interface Configuration {
  stateDirectory: string;
  /** Where the installation's secret lies; null = one is made in the state directory. */
  secretFile: string | null;
  idleMinutes: number;
  python: string | null;
  searchPath: string;
  temporal: { address: string | null; namespace: string; apiKey: string | null; cli: string | null };
  model: ModelConfiguration | null;
  retrievalModels: RetrievalModels;
  search: SearchConfiguration;
  sandbox: SandboxConfiguration;
}

export type ConfigurationResult =
  { ok: true; configuration: Configuration } | { ok: false; problems: { name: string; expected: string }[] };

/** Names of variables whose values are never shown. */
export const SECRET_VARIABLES: ReadonlySet<string> = new Set([
  'TEMPORAL_API_KEY',
  'LLM_API_KEY',
  'EMBEDDER_API_KEY',
  'ELASTICSEARCH_API_KEY',
  'ELASTICSEARCH_PASSWORD',
]);

/**
 * Reads the configuration from environment variables. All problems are named at once, never a value.
 *
 * @param variables the process's environment.
 * @param defaultStateDirectory folder used where REENACT_STATE is not set.
 */
export function readConfiguration(variables: Record<string, string | undefined>, defaultStateDirectory: string): ConfigurationResult {
  const parsed = EnvironmentVariables.safeParse(variables);
  const { models, problems } = readRetrievalModels(variables);
  const { search, problems: searchProblems } = readSearch(variables);
  const { sandbox, problems: sandboxProblems } = readSandbox(variables);
  if (!parsed.success || models === null || search === null || sandbox === null) {
    const issues = (parsed.error?.issues ?? []).map((issue) => ({ name: issue.path.join('.'), expected: issue.message }));
    return { ok: false, problems: [...issues, ...problems, ...searchProblems, ...sandboxProblems] };
  }
  const values = parsed.data;
  return {
    ok: true,
    configuration: Object.freeze({
      stateDirectory: values.REENACT_STATE ?? defaultStateDirectory,
      secretFile: values.REENACT_SECRET_FILE,
      idleMinutes: values.REENACT_IDLE_MINUTES,
      python: values.REENACT_PYTHON,
      searchPath: variables['PATH'] ?? '',
      temporal: {
        address: values.TEMPORAL_ADDRESS,
        namespace: values.TEMPORAL_NAMESPACE,
        apiKey: values.TEMPORAL_API_KEY,
        cli: values.TEMPORAL_CLI,
      },
      model: modelOf(values),
      retrievalModels: models,
      search,
      sandbox,
    }),
  };
}

function modelOf(values: z.infer<typeof EnvironmentVariables>): ModelConfiguration | null {
  const name = values.LLM_MODEL ?? (values.LLM_REPLAY === null ? null : 'recorded');
  if (name === null) return null;
  const price =
    values.LLM_PRICE_INPUT === undefined || values.LLM_PRICE_OUTPUT === undefined
      ? null
      : { input: values.LLM_PRICE_INPUT, output: values.LLM_PRICE_OUTPUT };
  return {
    baseUrl: values.LLM_BASE_URL,
    apiKey: values.LLM_API_KEY,
    name,
    api: values.LLM_API,
    price,
    record: values.LLM_RECORD,
    replay: values.LLM_REPLAY,
  };
}
