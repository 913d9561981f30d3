import { describe, expect, it } from 'vitest';
import { describeConfiguration, loadConfiguration, maskSecret, wantsColor, workerVariables } from './config.js';

describe('loadConfiguration', () => {
  it('names all problems at once, and no value', () => {
    const attempt = () => loadConfiguration({ LLM_API: 'telepathy', REENACT_IDLE_MINUTES: 'soon' });
    expect(attempt).toThrow(/REENACT_IDLE_MINUTES[^]*LLM_API/);
    expect(attempt).not.toThrow(/telepathy|soon/);
    expect(attempt).toThrow(expect.objectContaining({ code: 'config-invalid', exitStatus: 3 }));
  });

  it('makes the state directory absolute', () => {
    expect(loadConfiguration({ REENACT_STATE: 'state' }).stateDirectory).toBe(`${process.cwd()}/state`);
    expect(loadConfiguration({}).stateDirectory).toMatch(/\/\.reenact$/);
  });
});

describe('where is searched', () => {
  it('is this machine, or a cluster with what it needs', () => {
    expect(loadConfiguration({}).search).toEqual({ type: 'embedded' });
    const cluster = { SEARCH_TYPE: 'elasticsearch', ELASTICSEARCH_URL: 'https://h:9200' };
    const configuration = loadConfiguration({ ...cluster, ELASTICSEARCH_API_KEY: 'key', ELASTICSEARCH_CA_FILE: 'ca.pem' });
    const caFile = `${process.cwd()}/ca.pem`;
    expect(configuration.search).toEqual({ type: 'elasticsearch', url: 'https://h:9200', apiKey: 'key', caFile });
    expect(workerVariables(configuration)).toMatchObject({ ELASTICSEARCH_CA_FILE: caFile });
    const basic = loadConfiguration({ ...cluster, ELASTICSEARCH_USERNAME: 'u', ELASTICSEARCH_PASSWORD: 'p' });
    expect(basic.search).toEqual({ type: 'elasticsearch', url: 'https://h:9200', username: 'u', password: 'p' });
  });

  it.each([
    [{ SEARCH_TYPE: 'secret' }, /SEARCH_TYPE: one of embedded, elasticsearch/],
    [{ SEARCH_TYPE: 'elasticsearch' }, /ELASTICSEARCH_URL: a value/],
    [{ ELASTICSEARCH_URL: 'http://secret' }, /ELASTICSEARCH_URL: nothing/],
    [{ SEARCH_TYPE: 'elasticsearch', ELASTICSEARCH_URL: 'http://u:secret@h' }, /ELASTICSEARCH_URL: a URL without/],
    [
      { SEARCH_TYPE: 'elasticsearch', ELASTICSEARCH_URL: 'http://h', ELASTICSEARCH_API_KEY: 'secret', ELASTICSEARCH_USERNAME: 'secret' },
      /ELASTICSEARCH_API_KEY: either[^]*ELASTICSEARCH_USERNAME: a password/,
    ],
  ])('names the problems of %j and no value', (variables, problems) => {
    expect(() => loadConfiguration(variables)).toThrow(problems);
    expect(() => loadConfiguration(variables)).not.toThrow(/secret/);
  });
});

describe('where trials run', () => {
  it('is this machine, whatever kubeconfig there is, or a cluster with its settings', () => {
    expect(loadConfiguration({ KUBECONFIG: 'admin.conf' }).sandbox).toEqual({ type: 'local' });
    const configuration = loadConfiguration({ SANDBOX_TYPE: 'kubernetes', KUBERNETES_SETTINGS: 'cluster.yaml', KUBECONFIG: 'admin.conf' });
    const [settings, kubeconfig] = [`${process.cwd()}/cluster.yaml`, `${process.cwd()}/admin.conf`];
    expect(configuration.sandbox).toMatchObject({ type: 'kubernetes', settings, kubeconfig, context: null });
    expect(workerVariables(configuration)).toMatchObject({ KUBERNETES_SETTINGS: settings, KUBECONFIG: kubeconfig });
    const inPod = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
    expect(loadConfiguration({ SANDBOX_TYPE: 'kubernetes', KUBERNETES_SETTINGS: '/s.yaml', ...inPod }).sandbox).toMatchObject({
      kubeconfig: null,
      apiHost: '10.96.0.1',
      apiPort: 443,
    });
  });

  it.each([
    [{ SANDBOX_TYPE: 'secret' }, /SANDBOX_TYPE: one of local, kubernetes/],
    [{ SANDBOX_TYPE: 'kubernetes' }, /KUBERNETES_SETTINGS: a value/],
    [{ KUBERNETES_SETTINGS: 'secret' }, /KUBERNETES_SETTINGS: nothing/],
    [{ SANDBOX_TYPE: 'kubernetes', KUBERNETES_SETTINGS: 's', KUBERNETES_CONTEXT: 'secret' }, /KUBERNETES_CONTEXT: KUBECONFIG beside/],
  ])('names the problems of %j and no value', (variables, problems) => {
    expect(() => loadConfiguration(variables)).toThrow(problems);
    expect(() => loadConfiguration(variables)).not.toThrow(/secret/);
  });
});

describe('the models of the search', () => {
  it('are words and features where nothing is set', () => {
    expect(loadConfiguration({ EMBEDDER_TYPE: '' }).retrievalModels).toEqual({
      embedder: { type: 'none' },
      reranker: { type: 'features' },
      runtimeDirectory: null,
      threads: null,
      cacheMegabytes: 2048,
    });
  });

  it('take what their type needs, with absolute paths, also for a worker in another folder', () => {
    const configuration = loadConfiguration({
      EMBEDDER_TYPE: 'onnx',
      EMBEDDER_DIRECTORY: 'models/minilm',
      RERANKER_TYPE: 'onnx',
      RERANKER_DIRECTORY: '/models/ranker',
      ONNX_RUNTIME_DIRECTORY: 'runtime',
      MODEL_THREADS: '2',
    });
    expect(configuration.retrievalModels).toMatchObject({
      embedder: { type: 'onnx', directory: `${process.cwd()}/models/minilm` },
      reranker: { type: 'onnx', directory: '/models/ranker' },
      runtimeDirectory: `${process.cwd()}/runtime`,
      threads: 2,
    });
    expect(workerVariables(configuration)).toMatchObject({
      EMBEDDER_DIRECTORY: `${process.cwd()}/models/minilm`,
      RERANKER_DIRECTORY: '/models/ranker',
      ONNX_RUNTIME_DIRECTORY: `${process.cwd()}/runtime`,
    });
    const openAi = { EMBEDDER_TYPE: 'openai', EMBEDDER_BASE_URL: 'http://h/v1', EMBEDDER_MODEL: 'm', EMBEDDER_DIMENSIONS: '384' };
    expect(loadConfiguration(openAi).retrievalModels.embedder).toEqual({
      type: 'openai',
      baseUrl: 'http://h/v1',
      apiKey: null,
      model: 'm',
      dimensions: 384,
    });
  });

  it.each([
    [
      { EMBEDDER_TYPE: 'telepathy', RERANKER_TYPE: 'secret', MODEL_THREADS: 'many' },
      /EMBEDDER_TYPE: one of none, onnx, openai[^]*RERANKER_TYPE: one of features, onnx[^]*MODEL_THREADS/,
    ],
    [{ EMBEDDER_TYPE: 'onnx', EMBEDDER_MODEL: 'secret' }, /EMBEDDER_DIRECTORY: a value[^]*EMBEDDER_MODEL: nothing/],
    [{ EMBEDDER_API_KEY: 'secret', RERANKER_DIRECTORY: 'secret' }, /EMBEDDER_API_KEY: nothing[^]*RERANKER_DIRECTORY: nothing/],
    [
      { EMBEDDER_TYPE: 'openai', EMBEDDER_BASE_URL: 'file:///secret' },
      /EMBEDDER_BASE_URL: an http[^]*EMBEDDER_MODEL: a value[^]*EMBEDDER_DIMENSIONS: a value/,
    ],
    [
      { EMBEDDER_TYPE: 'openai', EMBEDDER_BASE_URL: 'http://a:secret@b', EMBEDDER_MODEL: 'm', EMBEDDER_DIMENSIONS: '0' },
      /EMBEDDER_BASE_URL: a URL without[^]*EMBEDDER_DIMENSIONS/,
    ],
    [{ LLM_API: 'telepathy', EMBEDDER_TYPE: 'telepathy' }, /LLM_API[^]*EMBEDDER_TYPE/],
  ])('names every problem of %j and no value', (variables, problems) => {
    const attempt = () => loadConfiguration(variables);
    expect(attempt).toThrow(problems);
    expect(attempt).not.toThrow(/telepathy|secret|many/);
  });
});

describe('describeConfiguration', () => {
  it('tells value, origin and meaning, and hides secrets', () => {
    const entries = describeConfiguration({ LLM_API_KEY: 'sk-0123456789wxyz', LLM_MODEL: 'm' });
    const of = (name: string) => entries.find((entry) => entry.name === name);
    expect(of('LLM_API_KEY')).toMatchObject({ value: '…wxyz', origin: 'environment' });
    expect(of('LLM_MODEL')).toMatchObject({ value: 'm', origin: 'environment', meaning: expect.stringContaining('model') as string });
    expect(of('REENACT_IDLE_MINUTES')).toMatchObject({ value: '30', origin: 'default' });
    expect(of('TEMPORAL_ADDRESS')).toMatchObject({ value: null, origin: 'default' });
    expect(entries.every((entry) => entry.meaning !== '')).toBe(true);
  });

  it('shows nothing of a short secret', () => {
    expect(maskSecret('abcd')).toBe('…');
  });
});

describe('wantsColor', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [false, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
  ])('terminal %s with %j: %s', (isTerminal, variables, wanted) => {
    expect(wantsColor(isTerminal, variables)).toBe(wanted);
  });
});
