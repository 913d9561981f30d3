import { describe, expect, it } from 'vitest';
import { applyMutant, listMutants, sampleMutants } from './mutants.mjs';
import { withMarks } from './reach.mjs';
import { relatedSpecs } from './related-specs.mjs';

const changesOf = (text: string) => listMutants('a.ts', text).map((mutant) => applyMutant(text, mutant));

describe('listMutants', () => {
  it('moves a comparison over its border and turns it round', () => {
    expect(changesOf('a < b')).toEqual(['a <= b', 'a >= b']);
    expect(changesOf('a === b')).toEqual(['a !== b']);
  });

  it('changes thresholds: the neighbours of a count, double and half of a fraction', () => {
    expect(changesOf('const LEAST = 5;')).toEqual(['const LEAST = 6;', 'const LEAST = 4;']);
    expect(changesOf('const ALPHA = 0.05;')).toEqual(['const ALPHA = 0.1;', 'const ALPHA = 0.025;']);
    expect(changesOf('const START = 0;')).toEqual(['const START = 1;']);
  });

  it('changes connectives, negations, truth values, some and every, min and max', () => {
    expect(changesOf('a && b')).toEqual(['a || b']);
    expect(changesOf('!a')).toEqual(['(a)']);
    expect(changesOf('f(true)')).toEqual(['f(false)']);
    expect(changesOf('a.some(f)')).toEqual(['a.every(f)']);
    expect(changesOf('Math.max(a, b)')).toEqual(['Math.min(a, b)']);
  });

  it('leaves types, imports and joined texts alone', () => {
    expect(changesOf("import a from 'a'; type A = 1 | true; interface B { c: 2 } a + b;")).toEqual([]);
    expect(changesOf('index + 1')).toEqual(['index - 1', 'index + 2', 'index + 0']);
  });
});

describe('sampleMutants', () => {
  const mutants = listMutants('a.ts', '1, 2, 3, 4').concat(listMutants('b.ts', '5'));

  it('draws the same with the same seed, and from every file before it takes a second half of one', () => {
    expect(sampleMutants(mutants, 4, 7)).toEqual(sampleMutants(mutants, 4, 7));
    expect(new Set(sampleMutants(mutants, 5, 7).map(({ file }) => file))).toEqual(new Set(['a.ts', 'b.ts']));
    expect(sampleMutants(mutants, 100, 7)).toHaveLength(mutants.length);
  });
});

describe('withMarks', () => {
  it('marks each function by the place that its mutants name as well, and leaves the answers as they are', () => {
    const text = 'const twice = (a) => (b) => a * b; function run(c) { return twice(c)(2); } run(3);';
    const reached = new Set<string>();
    Object.assign(globalThis, { __mutationReached: reached });
    expect((0, eval)(withMarks('a.ts', text))).toBe(6);
    Reflect.deleteProperty(globalThis, '__mutationReached');
    const scopes = listMutants('a.ts', text).map(({ scope }) => scope);
    expect(new Set(scopes)).toEqual(new Set([`a.ts:${text.indexOf('(b)')}`, `a.ts:${text.indexOf('function')}`, '']));
    expect([...reached]).toEqual(expect.arrayContaining(scopes.filter((scope) => scope !== '')));
  });
});

describe('relatedSpecs', () => {
  const reaches = [
    { spec: 'x/judge.spec.ts', milliseconds: 1, reached: ['x/slow.ts:10', 'x/user.ts:5'] },
    { spec: 'x/slow.spec.ts', milliseconds: 9, reached: ['x/slow.ts:10', 'x/slow.ts:40'] },
    { spec: 'x/other.spec.ts', milliseconds: 2, reached: ['x/user.ts:5'] },
  ];
  const specsOf = relatedSpecs(reaches, new Map([['x/slow.ts', ['x/user.ts']]]));

  it('names the specs that run the function, that of the file first', () => {
    expect(specsOf({ file: 'x/slow.ts', scope: 'x/slow.ts:10' })).toEqual(['x/slow.spec.ts', 'x/judge.spec.ts']);
    expect(specsOf({ file: 'x/slow.ts', scope: 'x/slow.ts:40' })).toEqual(['x/slow.spec.ts']);
    expect(specsOf({ file: 'x/slow.ts', scope: 'x/slow.ts:90' })).toEqual([]);
  });

  it('takes a constant of the module for used where its file or an importer runs', () => {
    expect(specsOf({ file: 'x/slow.ts', scope: '' })).toEqual(['x/slow.spec.ts', 'x/judge.spec.ts', 'x/other.spec.ts']);
  });
});
