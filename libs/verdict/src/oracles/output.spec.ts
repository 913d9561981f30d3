import { describe, expect, it } from 'vitest';
import { ask, createEvidence, printedLines } from '../testing/index.js';

const claim = { kind: 'output', pattern: 'saved' };
const cut = { signal: 'SIGKILL', endedBy: 'wall-limit' as const };
const hung = { signal: 'SIGKILL', endedBy: 'hang' as const };

const asked = (extra: object, ...lines: string[]) =>
  ask(
    { ...claim, ...extra },
    printedLines(...lines)
      .exit(0)
      .build(),
  );
const state = (extra: object, ...lines: string[]) => asked(extra, ...lines).state;

describe('how often a text is printed', () => {
  it('counts every place, those on one line too', () => {
    expect(state({ atLeast: 2 }, 'saved')).toBe('absent');
    expect(state({ atLeast: 2 }, 'saved, saved')).toBe('shown');
    expect(state({ atLeast: 2 }, 'saved', 'saved', 'saved')).toBe('shown');
  });

  it('may have an upper bound', () => {
    expect(state({ atLeast: 1, atMost: 2 }, 'saved', 'saved')).toBe('shown');
    expect(asked({ atLeast: 1, atMost: 2 }, 'saved', 'saved', 'saved')).toMatchObject({
      state: 'absent',
      note: 'the text is there, but not as claimed',
      grounding: [{ seq: 2 }],
    });
  });

  it('may be none, or few, until the end of the trial', () => {
    const none = { atLeast: 0, atMost: 0 };
    expect(asked(none, 'other')).toMatchObject({ state: 'shown', grounding: [{ seq: 3 }] });
    expect(asked(none, 'saved')).toMatchObject({ state: 'absent', grounding: [{ seq: 2, text: 'saved' }] });
    expect(state({ atLeast: 0, atMost: 1 }, 'saved')).toBe('shown');
    expect(state({ atLeast: 0, atMost: 1 }, 'saved', 'saved')).toBe('absent');
    expect(ask({ ...claim, ...none }, printedLines('other').exit(null, cut).build()).state).toBe('undecided');
    expect(ask({ ...claim, ...none }, printedLines('saved').exit(null, cut).build()).state).toBe('absent');
    expect(ask({ ...claim, ...none }, printedLines('other').build()).state).toBe('undecided');
  });
});

describe('where a text is printed', () => {
  it('is the asked stream and rank', () => {
    const records = createEvidence().stdout('saved', { rank: 0 }).stderr('lost', { rank: 1 }).exit(0).build();
    const where = (extra: object) => ask({ ...claim, ...extra }, records).state;
    expect(where({ stream: 'stdout', rank: 0 })).toBe('shown');
    expect(where({ stream: 'stdout', rank: 1 })).toBe('absent');
    expect(where({ stream: 'stderr', rank: 0 })).toBe('absent');
    expect(where({ pattern: 'lost', stream: 'any' })).toBe('shown');
    expect(where({ pattern: 'lost', stream: 'stdout' })).toBe('absent');
  });

  it('is the line on which text over several lines begins', () => {
    expect(asked({ pattern: 'b\\nc' }, 'a', 'b', 'c', 'b', 'c').grounding).toMatchObject([{ seq: 3 }, { seq: 5 }]);
  });

  it('is told for three places at most', () => {
    expect(asked({}, 'saved', 'saved', 'saved', 'saved').grounding).toMatchObject([{ seq: 2 }, { seq: 3 }, { seq: 4 }]);
  });
});

describe('what follows a text', () => {
  const alone = { notFollowedBy: 'resumed' };

  it('is on a later line', () => {
    expect(state(alone, 'saved')).toBe('shown');
    expect(state(alone, 'saved, resumed')).toBe('shown');
    expect(state(alone, 'resumed', 'saved')).toBe('shown');
    expect(state(alone, 'saved', 'resumed')).toBe('absent');
    expect(state(alone, 'resumed', 'saved', 'resumed')).toBe('absent');
  });

  it('is looked for in the same stream, and another stream may still show it', () => {
    const records = createEvidence().stdout('saved').stdout('resumed').stderr('saved').exit(0).build();
    expect(ask({ ...claim, ...alone }, records)).toMatchObject({ state: 'shown', grounding: [{ seq: 4 }] });
  });

  it('and an upper bound are known only at the end', () => {
    const records = (exit: object) => printedLines('saved').exit(null, exit).build();
    for (const extra of [alone, { atMost: 1 }]) {
      expect(ask({ ...claim, ...extra }, records(cut))).toMatchObject({ state: 'undecided', grounding: [{ seq: 2 }] });
      expect(ask({ ...claim, ...extra }, records(hung)).state).toBe('shown');
    }
    expect(ask(claim, records(cut)).state).toBe('shown');
    expect(ask({ ...claim, atLeast: 2 }, records(cut)).state).toBe('undecided');
    expect(ask({ ...claim, atLeast: 2 }, records(hung)).state).toBe('absent');
  });

  it('is open where nothing was printed before a limit, and absent at an end', () => {
    expect(state({}, 'other')).toBe('absent');
    expect(ask(claim, printedLines('other').exit(null, cut).build()).state).toBe('undecided');
    expect(ask(claim, printedLines('other').exit(null, hung).build()).state).toBe('collision');
  });
});
