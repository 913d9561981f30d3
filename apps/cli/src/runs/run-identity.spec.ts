import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReproduceRequest } from '@reenact/domain';
import { readConfiguration } from '@reenact/domain/schemas';
import { askedModels, identifyRun, slug } from './run-identity.js';

type Draft = Omit<ReproduceRequest, 'runId' | 'series'>;

function draft(changes: Partial<Draft> = {}): Draft {
  return {
    kind: 'reproduce',
    schemaVersion: 1,
    title: 'Loss turns NaN',
    report: `sha256:${'0'.repeat(64)}`,
    subject: { type: 'folder', path: '/p' },
    treeHash: 'a'.repeat(64),
    fixed: null,
    fixedTreeHash: null,
    controlPython: null,
    python: null,
    requirements: [],
    goodRequirements: [],
    limits: {},
    allowUnsandboxed: false,
    model: { enabled: false, budget: { costUsd: null, tokens: null, minutes: null, attemptsPerContext: 5 }, record: null, replay: null },
    ...changes,
  };
}

describe('identifyRun', () => {
  it('gives equal requests equal names, whatever the title was', () => {
    const one = identifyRun(draft(), null, 0);
    expect(identifyRun(draft(), null, 0)).toEqual(one);
    expect(identifyRun(draft({ title: 'other' }), null, 0).workflowId).toBe(one.workflowId);
    expect(one.workflowId).toMatch(/^repro\/[0-9a-f]{12}\/[0-9a-f]{12}$/);
    expect(one.runId).toMatch(/^loss-turns-nan-[0-9a-f]{6}$/);
  });

  it('tells other requests, models and forced runs apart', () => {
    const ids = [
      identifyRun(draft(), null, 0),
      identifyRun(draft(), 'model', 0),
      identifyRun(draft(), null, 1),
      identifyRun(draft({ requirements: ['numpy==1'] }), null, 0),
      identifyRun(draft({ treeHash: 'b'.repeat(64) }), null, 0),
    ];
    expect(new Set(ids.map((id) => id.workflowId)).size).toBe(5);
    expect(new Set(ids.map((id) => id.runId)).size).toBe(5);
    expect(new Set(ids.slice(0, 4).map((id) => id.bug)).size).toBe(1);
  });
});

describe('askedModels', () => {
  const asked = (variables: Record<string, string>, kind: 'reproduce' | 'judge' = 'reproduce') => {
    const result = readConfiguration(variables, '/state');
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    return askedModels({ kind }, result.configuration);
  };
  const ENDPOINT = { EMBEDDER_TYPE: 'openai', EMBEDDER_BASE_URL: 'http://127.0.0.1:1/v1', EMBEDDER_MODEL: 'm', EMBEDDER_DIMENSIONS: '3' };

  it('is the model that writes, where words alone choose what it sees', () => {
    expect([asked({}), asked({ LLM_MODEL: 'x' })]).toEqual([null, 'x']);
  });

  it('tells models that choose contexts apart, by no key, and only where contexts are chosen', () => {
    const all: Record<string, string>[] = [
      {},
      { LLM_MODEL: 'x' },
      ENDPOINT,
      { ...ENDPOINT, LLM_MODEL: 'x' },
      { RERANKER_TYPE: 'onnx', RERANKER_DIRECTORY: '/r' },
    ];
    expect(new Set(all.map((variables) => asked(variables))).size).toBe(5);
    expect(asked({ ...ENDPOINT, EMBEDDER_API_KEY: 'secret' })).toBe(asked(ENDPOINT));
    expect(asked(ENDPOINT, 'judge')).toBeNull();
  });
});

describe('slug', () => {
  it('is a plain name, whatever the title holds', () => {
    expect(slug('RuntimeError: size mismatch, m1: [1 x 2] at /opt/x.cpp:41 — again')).toBe('runtimeerror-size-mismatch-m1-1');
    expect(slug('Größe falsch')).toBe('gro-e-falsch');
    expect(slug('訓練')).toBe('run');
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        (title) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug(title)) && slug(title).length <= 32,
      ),
    );
  });
});
