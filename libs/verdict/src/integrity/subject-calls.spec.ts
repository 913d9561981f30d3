import { describe, expect, it } from 'vitest';
import { python } from './fixtures/rule-bench.js';
import { followScript, type CallSite } from './script-flow.js';
import { calledName, callsSubject, givenTo, parameterAt } from './subject-calls.js';
import { listingOf } from './subject-listing.js';

const texts = {
  'tool.py':
    'class Tool:\n    def run(self, rows, *, seed=3, **more):\n        return rows\n\n\ndef fit(rounds, seed):\n    return rounds\n',
};

/** Asks about the last call of a script. */
function ofLast<T>(text: string, ask: (call: CallSite) => T): T {
  const flow = followScript(
    python,
    [{ path: 'repro.py', text: `import tool, subprocess\nt = tool.Tool()\n${text}\n` }],
    listingOf(python, texts),
  );
  const call = flow?.calls.reduce((last, one) => (one.node.endIndex >= last.node.endIndex ? one : last));
  if (!flow || !call) throw new Error('no call');
  try {
    return ask(call);
  } finally {
    flow.dispose();
  }
}

describe('callsSubject', () => {
  it.each([
    ['tool.fit(1, 2)', true],
    ['t.run([])', true],
    ['rows = [t]\nrows.append(3)', false],
    ['c = subprocess.Popen(["python", "tool.py"])\nc.wait()', false],
    ['print(3)', false],
  ])('%j: %s', (text, expected) => {
    expect(ofLast(text, callsSubject)).toBe(expected);
  });
});

describe('what a call is given', () => {
  it('leaves out how long is waited', () => {
    expect(ofLast('tool.fit(1, seed=2, timeout=9)', (call) => givenTo(call).map(({ text }) => text))).toEqual(['1', 'seed=2']);
    expect(ofLast('tool.fit(n for n in t)', (call) => givenTo(call).length)).toBe(1);
  });

  it('goes to the parameters of the function of that name', () => {
    const at = (text: string, position: number) => ofLast(text, (call) => parameterAt(listingOf(python, texts), call, position));
    expect([at('tool.fit(1, 2)', 0), at('tool.fit(1, 2)', 1), at('tool.fit(1, 2)', 2)]).toEqual(['rounds', 'seed', null]);
    expect(at('t.run([])', 0)).toBe('rows');
    expect(at('t.other([])', 0)).toBeNull();
  });

  it('has a name', () => {
    expect([ofLast('tool.fit(1, 2)', calledName), ofLast('t.run([])', calledName)]).toEqual(['tool.fit', 'run']);
  });
});
