import { describe, expect, it } from 'vitest';
import { ask, printedLines } from '../testing/index.js';

const claim = { kind: 'printed', pattern: 'loss (\\S+)', take: 'last', op: '>', right: 1 };
const cut = { signal: 'SIGKILL', endedBy: 'wall-limit' as const };
const asked = (extra: object, ...lines: string[]) =>
  ask(
    { ...claim, ...extra },
    printedLines(...lines)
      .exit(0)
      .build(),
  );
const ended = (extra: object, ...lines: string[]) =>
  ask(
    { ...claim, ...extra },
    printedLines(...lines)
      .exit(null, cut)
      .build(),
  ).state;

describe('a printed number', () => {
  it('is read without the mark that ends it', () => {
    for (const end of ['', ',', '%', ';', ')', ']']) expect(asked({ op: '==', right: 2 }, `loss 2${end}`).state).toBe('shown');
    expect(asked({}, 'loss 1').state).toBe('absent');
    expect(asked({}, 'loss 2!')).toMatchObject({ state: 'undecided', note: 'the number was never printed' });
    expect(asked({}).state).toBe('undecided');
  });

  it("is not one of the script's own observation lines", () => {
    expect(asked({}, 'OBS loss 2').state).toBe('undecided');
    expect(asked({}, '  OBS loss 2').state).toBe('undecided');
    expect(asked({}, 'OBServed loss 2').state).toBe('shown');
    expect(asked({}, 'my OBS loss 2').state).toBe('shown');
  });

  it('is near another one within the tolerance', () => {
    const near = { op: 'approx', right: 2, absolute: 0.5 };
    expect(asked(near, 'loss 2.5').state).toBe('shown');
    expect(asked(near, 'loss 2.75').state).toBe('absent');
  });

  it('is grounded in the lines that decide, five at most', () => {
    expect(asked({ take: 'any' }, 'loss 1', 'loss 2').grounding).toMatchObject([{ seq: 3, text: 'loss 2' }]);
    expect(asked({ take: 'all' }, 'loss 1', 'loss 2').grounding).toMatchObject([{ seq: 2, text: 'loss 1' }]);
    expect(asked({ take: 'all' }, ...Array.from({ length: 6 }, () => 'loss 2')).grounding).toHaveLength(5);
  });

  it('stands before a limit only where more numbers cannot undo it', () => {
    expect(ended({}, 'loss 2')).toBe('undecided');
    expect(ended({ take: 'max' }, 'loss 2')).toBe('shown');
    expect(ended({ take: 'max' }, 'loss 1')).toBe('undecided');
    expect(ended({ take: 'all' }, 'loss 1')).toBe('absent');
  });
});
