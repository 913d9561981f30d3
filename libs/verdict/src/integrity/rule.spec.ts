import { describe, expect, it } from 'vitest';
import { python } from './fixtures/rule-bench.js';
import { answered, linesOf, placeOf, suspicion } from './rule.js';

describe('places of findings', () => {
  it('count lines from 1', () => {
    const text = 'x = 1\nf(\n    2,\n)\n';
    const tree = python.parse(text);
    try {
      const call = tree.rootNode.descendantsOfType('call')[0];
      if (!call) throw new Error('no call');
      expect(placeOf({ node: call, source: { file: { path: 'a.py', text }, root: tree.rootNode } })).toEqual({ file: 'a.py', line: 2 });
      expect(linesOf(call)).toEqual({ startLine: 2, endLine: 4 });
    } finally {
      tree.delete();
    }
  });

  it('stay with a suspicion that is answered', () => {
    const one = suspicion('some-rule', 'why', { file: 'a.py', line: 2 });
    expect(one).toEqual({ rule: 'some-rule', message: 'why', level: 'suspicion', file: 'a.py', line: 2 });
    expect(answered(one, 'refuted', 'because')).toEqual({ ...one, level: 'refuted', evidence: 'because' });
  });
});
