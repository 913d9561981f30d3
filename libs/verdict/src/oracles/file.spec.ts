import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvidenceOf } from '@reenact/domain';
import { ask, createEvidence, frame } from '../testing/index.js';

const PATH = 'runs/metrics.json';
type Facts = Partial<EvidenceOf<'file'>>;
const oracle = (extra: object) => ({ kind: 'file', path: PATH, ...extra });
const left = (facts: Facts, asked: object) => ask(oracle(asked), createEvidence().exit(0).file(PATH, facts).build());
const json = (...keys: string[]): Facts => ({ format: 'json', keys, head: '{}', sizeBytes: 2 });
const text = (head: string, extra: Facts = {}): Facts => ({ format: 'text', head, sizeBytes: head.length, ...extra });
const absent: Facts = { state: 'absent', sha256: null, format: null };
const crash = { type: 'builtins.ValueError', message: 'no data', frames: [frame('subject', 'train.py', 'train')] };

describe('file', () => {
  it.each<[string, Facts, object]>([
    ['a key that is missing', json('loss'), { missingKeys: ['optimizer'] }],
    ['keys that are there', json('loss', 'step'), { keys: ['step', 'loss'] }],
    ['a text', text('epoch 1\nloss nan\n'), { pattern: '^loss nan$' }],
    ['a text that is missing', text('epoch 1\n'), { missingPattern: 'epoch 2' }],
    ['a size at most', text(''), { atMostBytes: 0 }],
    ['a size at least', { sizeBytes: 10 }, { atLeastBytes: 10 }],
    ['no file', absent, { exists: false }],
    ['a file that is there', text('x'), {}],
    ['a file of the project that was changed', { ...json(), origin: 'changed' }, { missingKeys: ['step'] }],
  ])('is shown by %s', (_name, facts, asked) => {
    const answer = left(facts, asked);
    expect([answer.state, answer.grounding[0]?.text.startsWith(`${PATH}: `)]).toEqual(['shown', true]);
  });

  it.each<[string, Facts, object]>([
    ['a key that is there', json('optimizer'), { missingKeys: ['optimizer'] }],
    ['one of two keys missing', json('a'), { keys: ['a', 'b'] }],
    ['another text', text('loss 0.5'), { pattern: 'loss nan' }],
    ['the text that should be missing', text('epoch 2'), { missingPattern: 'epoch 2' }],
    ['a larger size', { sizeBytes: 1 }, { atMostBytes: 0 }],
    ['a smaller size', { sizeBytes: 9 }, { atLeastBytes: 10 }],
    ['a file where none is claimed', text('x'), { exists: false }],
    ['no file where one is claimed', absent, { keys: ['a'] }],
  ])('is absent with %s', (_name, facts, asked) => {
    expect(left(facts, asked).state).toBe('absent');
  });

  it.each<[string, Facts, object]>([
    ['a file that nobody touched', { ...json(), origin: 'same' }, { missingKeys: ['a'] }],
    ['a file that nobody touched where none is claimed', { ...json(), origin: 'same' }, { exists: false }],
    ['keys of a form that is not known', { sizeBytes: 5 }, { missingKeys: ['a'] }],
    ['keys that were cut', { ...json('a'), keysCut: true }, { missingKeys: ['b'] }],
    ['a text that was cut', text('start', { headCut: true }), { missingPattern: 'end' }],
    ['the text of bytes', { sizeBytes: 5 }, { pattern: 'a' }],
    ['a link', { state: 'link' }, {}],
    ['a folder', { state: 'directory' }, { exists: false }],
    ['a file that cannot be read', { state: 'unreadable' }, { missingKeys: ['a'] }],
  ])('is undecided for %s', (_name, facts, asked) => {
    expect(left(facts, asked).state).toBe('undecided');
  });

  it('is undecided where nothing is named, nothing was watched, or a limit ended the trial', () => {
    expect(ask({ kind: 'file' }, createEvidence().exit(0).build()).state).toBe('undecided');
    expect(ask(oracle({}), createEvidence().exit(0).file('other.json').build()).state).toBe('undecided');
    const cut = createEvidence().exit(null, { signal: 'SIGKILL', endedBy: 'wall-limit' });
    expect(ask(oracle({ exists: false }), cut.file(PATH, absent).build()).state).toBe('undecided');
  });

  it('is a collision where a failure came first, unless the file has what is claimed', () => {
    const failed = (facts: Facts, asked: object) =>
      ask(oracle(asked), createEvidence().exception(crash).exit(1).file(PATH, facts).build()).state;
    expect(failed(absent, { exists: false })).toBe('collision');
    expect(failed(absent, { keys: ['a'] })).toBe('collision');
    expect(failed(json(), { missingKeys: ['a'] })).toBe('collision');
    expect(failed(text(''), { atMostBytes: 0 })).toBe('collision');
    expect(failed(text('loss nan'), { pattern: 'nan' })).toBe('shown');
  });

  it('refuses paths that leave the trial', () => {
    for (const path of ['/etc/passwd', '../a', 'a/../b', 'a//b', '@tmp/../x', '']) expect(() => ask({ kind: 'file', path }, [])).toThrow();
    expect(ask({ kind: 'file', path: '@tmp/out.json' }, createEvidence().exit(0).file('@tmp/out.json').build()).state).toBe('shown');
  });

  it('says of any set of keys either that one is there or that it is missing', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5 })), fc.string({ minLength: 1, maxLength: 5 }), (keys, key) => {
        const states = [left(json(...keys), { keys: [key] }).state, left(json(...keys), { missingKeys: [key] }).state];
        expect(states.toSorted()).toEqual(['absent', 'shown']);
        expect(states[0]).toBe(keys.includes(key) ? 'shown' : 'absent');
      }),
    );
  });
});
