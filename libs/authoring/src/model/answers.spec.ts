import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { extractJson } from './extract-json.js';
import { extractPython } from './extract-python.js';
import { mendTypes } from './mend-types.js';
import { stripReasoning } from './strip-reasoning.js';

const prose = fc.constantFrom('', 'Sure, here it is:', 'I looked at {the} code [1].', 'Note: "quoted" text', "It's fine", 'a\nb\nc');
const thoughts = fc.constantFrom(
  '',
  '<think>maybe {"a": 0} or ```python\nx\n```</think>',
  '<thinking>hm</thinking>\n',
  'left over thoughts</think>',
);

describe('extractJson', () => {
  it.each([
    ['bare', '{"a": 1}'],
    ['fenced', 'Here:\n```json\n{"a": 1}\n```\nDone.'],
    ['in an unmarked fence', '```\n{"a": 1}\n```'],
    ['in prose', 'The answer is {"a": 1}, I think.'],
    ['after a python block', '```python\nprint({1: 2})\n```\n```json\n{"a": 1}\n```'],
    ['after reasoning', '<think>{"a": 7}</think>{"a": 1}'],
    ['after reasoning without its start', 'so {"a": 7}?</think>{"a": 1}'],
    ['after a bracket in prose', 'As in [note] and {x}: {"a": 1}'],
    ['after an opening that never closes', '{ oh\n{"a": 1}'],
  ])('finds an object %s', (_name, text) => {
    expect(extractJson(text, (value) => (value as { a?: number }).a === 1)).toEqual({ a: 1 });
  });

  it('gives undefined for a truncated answer', () => {
    expect(extractJson('{"a": 1, "b": [1, 2')).toBeUndefined();
  });

  it('gets any object back out of any wrapping', () => {
    const wrapping = fc.record({
      thought: thoughts,
      before: prose,
      fence: fc.constantFrom('```json\n', '```\n', '~~~\n', ''),
      after: prose,
    });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), wrapping, (value, { thought, before, fence, after }) => {
        const wanted = { marker: 'x', value };
        const body = fence === '' ? JSON.stringify(wanted) : `${fence}${JSON.stringify(wanted, null, 2)}\n${fence.slice(0, 3)}`;
        const found = extractJson(
          `${thought}${before}\n${body}\n${after}`,
          (candidate) => (candidate as { marker?: string }).marker === 'x',
        );
        expect(found).toEqual(JSON.parse(JSON.stringify(wanted)));
      }),
    );
  });

  it('ends on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', '`', '\n', 'a', ':', ','), maxLength: 300 }), (text) => {
        const value = extractJson(text);
        expect(value === undefined || typeof value === 'object').toBe(true);
      }),
    );
    expect(extractJson('{['.repeat(100_000))).toBeUndefined();
  });
});

describe('extractPython', () => {
  it('gets any script back out of any wrapping', () => {
    const line = fc.constantFrom('import torch', 'x = {"a": 1}', 'def f():\n    return "`"', 'print(f"OBS a={1}")', '# note');
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1 }),
        prose,
        fc.constantFrom('```python\n', '```py\n', '```\n', '~~~python\n'),
        prose,
        (lines, before, fence, after) => {
          const script = ['import os', ...lines].join('\n');
          const answer = `<think>x</think>${before}\n${fence}${script}\n${fence.slice(0, 3)}\n${after}`;
          expect(extractPython(answer)).toEqual({ text: `${script.trim()}\n`, truncated: false });
        },
      ),
    );
  });

  it.each([
    [
      'takes the longest Python block',
      '```python\na = 1\n```\n```python\nimport os\nb = 2\n```',
      { text: 'import os\nb = 2\n', truncated: false },
    ],
    ['marks a block that never ends', '```python\nimport os\nx = (', { text: 'import os\nx = (\n', truncated: true }],
    ['takes a whole text that is a script', 'import os\nprint(1)', { text: 'import os\nprint(1)\n', truncated: false }],
    ['gives null for prose', 'I cannot do that.', null],
    ['does not take JSON for a script', '```\n{"a": 1}\n```', null],
  ])('%s', (_name, answer, expected) => {
    expect(extractPython(answer)).toEqual(expected);
  });
});

describe('stripReasoning', () => {
  it('takes out what never closed', () => {
    expect(stripReasoning('before <think>and so on')).toBe('before');
  });

  it('leaves marks inside JSON alone', () => {
    expect(stripReasoning('{"text": "a <think> b </think> c"}')).toBe('{"text": "a <think> b </think> c"}');
  });
});

describe('mendTypes', () => {
  const Shape = z.strictObject({
    flag: z.boolean(),
    count: z.int().nullable(),
    items: z.array(z.union([z.strictObject({ kind: z.literal('a'), n: z.number() }), z.strictObject({ kind: z.literal('b') })])),
  });

  it('reads strings as numbers and booleans, and a left-out key as null', () => {
    expect(mendTypes(Shape, { flag: 'true', items: [{ kind: 'a', n: '2.5' }] }).data).toEqual({
      flag: true,
      count: null,
      items: [{ kind: 'a', n: 2.5 }],
    });
  });

  it('mends inside the branch of a union that has the right shape', () => {
    const Either = z.strictObject({
      side: z.union([z.union([z.number(), z.string()]), z.strictObject({ obs: z.string(), where: z.string().nullable() })]),
    });
    expect(mendTypes(Either, { side: { obs: 'a' } }).data).toEqual({ side: { obs: 'a', where: null } });
  });

  it('invents nothing', () => {
    expect(mendTypes(Shape, { flag: 'perhaps', count: 1, items: [] }).success).toBe(false);
    expect(mendTypes(Shape, { flag: true, count: 1, items: [{ kind: 'c' }] }).success).toBe(false);
    expect(mendTypes(Shape, undefined).success).toBe(false);
  });
});
