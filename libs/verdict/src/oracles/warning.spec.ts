import type { EvidenceOf } from '@reenact/domain';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence, frame, SCRIPT_PID } from '../testing/index.js';

const given = { category: 'builtins.UserWarning', message: 'old call' };
const asked = (claim: object, ...warnings: Partial<EvidenceOf<'warning'>>[]) =>
  ask(
    { kind: 'warning', ...claim },
    warnings
      .reduce((records, one) => records.warning({ ...given, ...one }), createEvidence().process(SCRIPT_PID))
      .exit(0)
      .build(),
  );
const at = (place: 'script' | 'subject', code?: string) => ({ frame: frame(place, 'pkg/train.py', 'f', code) });

describe('a warning', () => {
  it('is asked for by category, text and file, each by itself', () => {
    const claim = { category: 'x.UserWarning', pattern: 'old', file: 'pkg/train.py' };
    expect(asked(claim, at('subject')).state).toBe('shown');
    expect(asked({ ...claim, category: 'FutureWarning' }, at('subject')).state).toBe('absent');
    expect(asked({ ...claim, pattern: 'new' }, at('subject')).state).toBe('absent');
    expect(asked({ ...claim, file: 'pkg/other.py' }, at('subject')).state).toBe('absent');
    expect(asked({ file: 'pkg/train.py' }, at('subject')).state).toBe('undecided');
  });

  it.each(['warnings.warn("x")', 'warn ("x")', 'warnings.warn_explicit(x)'])('of the script itself, by %j, is another failure', (code) => {
    expect(asked({ pattern: 'old' }, at('script', code))).toMatchObject({ state: 'collision', note: 'the script itself warns' });
    expect(asked({ pattern: 'old' }, at('subject', code)).state).toBe('shown');
    expect(asked({ pattern: 'old' }, at('script', code), at('subject')).grounding).toMatchObject([{ seq: 4 }]);
  });

  it.each(['train()', 'forewarn(x)', 'warnings.warning', undefined])('that points at the script by %j is shown', (code) => {
    expect(asked({ pattern: 'old' }, at('script', code)).state).toBe('shown');
  });

  it('may have text over several lines', () => {
    expect(asked({ pattern: 'old.*call' }, { message: 'old\ncall' }).state).toBe('shown');
  });
});
