import { z } from 'zod';

const text = z.string().optional();

/** Variables that say which models rank a project's code. */
export const ModelVariables = z.object({
  EMBEDDER_TYPE: text.describe('what turns code into vectors: none (search by words alone, the default), onnx (a directory) or openai'),
  EMBEDDER_DIRECTORY: text.describe('onnx: directory with model and tokeniser; docs/models.md tells what lies in it'),
  EMBEDDER_BASE_URL: text.describe('openai: base URL of an OpenAI-compatible endpoint; code is sent there'),
  EMBEDDER_API_KEY: text.describe('openai: its key (secret)'),
  EMBEDDER_MODEL: text.describe('openai: model name'),
  EMBEDDER_DIMENSIONS: text.describe('openai: length of the model’s vectors'),
  RERANKER_TYPE: text.describe('what orders the best chunks anew: features (no weights, the default) or onnx (a cross-encoder)'),
  RERANKER_DIRECTORY: text.describe('onnx: directory with a cross-encoder and its tokeniser'),
  ONNX_RUNTIME_DIRECTORY: text.describe('folder whose node_modules holds onnxruntime-node; default: beside the start script'),
  MODEL_THREADS: text.describe('threads of a model in a directory, each with the model in memory; default: one a core, at most 4'),
  EMBEDDING_CACHE_MEGABYTES: text.describe('size that the cache of vectors keeps to; default: 2048'),
});

/** Endpoint addresses: user and password belong into a key, and anything but http would be read by another part. */
export const address = z.url({ protocol: /^https?$/, error: 'an http or https URL' }).refine((url) => {
  const { username, password } = new URL(url);
  return username === '' && password === '';
}, 'a URL without user and password');

/** What turns code into vectors. */
export const EmbedderConfiguration = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('onnx'), directory: z.string() }),
    z.strictObject({
      type: z.literal('openai'),
      baseUrl: address,
      apiKey: z.string().nullable().default(null),
      model: z.string(),
      dimensions: z.coerce.number().int().min(1).max(65_536),
    }),
  ],
  { error: 'one of none, onnx, openai' },
);
export type EmbedderConfiguration = z.infer<typeof EmbedderConfiguration>;

/** What orders the best chunks anew. */
export const RerankerConfiguration = z.discriminatedUnion(
  'type',
  [z.strictObject({ type: z.literal('features') }), z.strictObject({ type: z.literal('onnx'), directory: z.string() })],
  { error: 'one of features, onnx' },
);
export type RerankerConfiguration = z.infer<typeof RerankerConfiguration>;

const RuntimeConfiguration = z.strictObject({
  /** Null = where the package finds it. */
  runtimeDirectory: z.string().nullable().default(null),
  /** Null = one a core, at most 4. */
  threads: z.coerce.number().int().min(1).max(64).nullable().default(null),
  cacheMegabytes: z.coerce.number().int().min(16).max(1_048_576).default(2048),
});

/** Models of the search, as configured. */
export interface RetrievalModels extends z.infer<typeof RuntimeConfiguration> {
  embedder: EmbedderConfiguration;
  reranker: RerankerConfiguration;
}

/** A variable and what was expected of it; never its value. */
export interface VariableProblem {
  name: string;
  expected: string;
}

const EMBEDDER = {
  type: 'EMBEDDER_TYPE',
  directory: 'EMBEDDER_DIRECTORY',
  baseUrl: 'EMBEDDER_BASE_URL',
  apiKey: 'EMBEDDER_API_KEY',
  model: 'EMBEDDER_MODEL',
  dimensions: 'EMBEDDER_DIMENSIONS',
};
const RERANKER = { type: 'RERANKER_TYPE', directory: 'RERANKER_DIRECTORY' };
const RUNTIME = {
  runtimeDirectory: 'ONNX_RUNTIME_DIRECTORY',
  threads: 'MODEL_THREADS',
  cacheMegabytes: 'EMBEDDING_CACHE_MEGABYTES',
};

/** Variables of a process. */
export type Variables = Record<string, string | undefined>;

/** Reads the models' variables; a variable that the chosen type does not use is a problem too. */
export function readRetrievalModels(variables: Variables): { models: RetrievalModels | null; problems: VariableProblem[] } {
  const embedder = readPart(EmbedderConfiguration, EMBEDDER, { type: 'none', ...given(variables, EMBEDDER) });
  const reranker = readPart(RerankerConfiguration, RERANKER, { type: 'features', ...given(variables, RERANKER) });
  const runtime = readPart(RuntimeConfiguration, RUNTIME, given(variables, RUNTIME));
  const problems = [...embedder.problems, ...reranker.problems, ...runtime.problems];
  if (embedder.value === null || reranker.value === null || runtime.value === null) return { models: null, problems };
  return { models: { embedder: embedder.value, reranker: reranker.value, ...runtime.value }, problems };
}

/** The values that are set, by key instead of by variable. */
export function given(variables: Variables, names: Record<string, string>): Record<string, string> {
  const entries = Object.entries(names).map(([key, name]) => [key, variables[name]] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined && entry[1] !== ''));
}

/** One part of the configuration by its schema; problems name variables, never values. */
export function readPart<Value>(
  schema: z.ZodType<Value>,
  names: Record<string, string>,
  value: Record<string, string>,
): { value: Value | null; problems: VariableProblem[] } {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data, problems: [] };
  const nameOf = (key: unknown): string => names[String(key)] ?? String(key);
  const problems = parsed.error.issues.flatMap((issue): VariableProblem[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ name: nameOf(key), expected: `nothing: ${names['type']} as it is does not use it` }));
    const key = issue.path[0];
    if (value[String(key)] === undefined) return [{ name: nameOf(key), expected: `a value: ${names['type']} as it is needs it` }];
    return [{ name: nameOf(key), expected: issue.message }];
  });
  return { value: null, problems };
}
