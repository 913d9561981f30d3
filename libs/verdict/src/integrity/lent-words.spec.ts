import { describe, expect, it } from 'vitest';
import { Oracle } from '@reenact/domain/schemas';
import { exceptionOracle, observedFacet } from '../testing/claim-builder.js';
import { createEvidence } from '../testing/evidence-builder.js';
import { at, check, confirm } from './fixtures/rule-bench.js';

const WORDS = 'step 10 is past the last step 10';
const crash = observedFacet([exceptionOracle({ types: ['ValueError'], message: { text: WORDS, match: 'contains' } })], { id: 'x' });
const printed = observedFacet([Oracle.parse({ kind: 'printed', pattern: 'val acc (\\d+\\.\\d+)', op: '>', right: 1 })], { id: 'x' });
const doubled = observedFacet([Oracle.parse({ kind: 'output', pattern: '^training starts', flags: 'm', atLeast: 2 })], { id: 'x' });
const head = 'import re, torch\nfrom unittest import mock\nimport picker, scoring\np = picker.Picker()\n';
const lines = (rule: string, text: string, facet = crash): number[] => [
  ...new Set(
    check(`${head}${text}\n`, facet)
      .filter((finding) => finding.rule === rule)
      .map(({ line }) => (line ?? 0) - 4),
  ),
];

describe('claimed words that the script hands over', () => {
  it.each([
    [`picker.Picker("${WORDS}")`, [1]],
    ['picker.Picker(size="step {0} is past the last step {0}".format(10))', [1]],
    [`words = {"kind": "${WORDS}"}\npicker.Picker(**words)`, [2]],
    ['n = 10\npicker.Picker(f"step {n} is past the last step {n}")', [2]],
    [`hook = mock.Mock(side_effect=ValueError("${WORDS}"))\np.pick(hook)`, [1, 2]],
    [`p.pick(lambda row: torch._check_value(False, lambda: "${WORDS}"))`, [1]],
    [`assert re.search("${WORDS}", str(scoring.score([1], [1])))`, []],
    [`error = scoring.score([1], [1])\nassert repr(error) == repr(ValueError("${WORDS}"))`, []],
    ['picker.Picker("past the")', []],
    ['picker.Picker("the step")', []],
    [`print("${WORDS}")`, []],
    [`"""${WORDS}"""\npicker.Picker(3)`, []],
  ])('%j on lines %j', (text, expected) => {
    expect(lines('raises-itself', text)).toEqual(expected);
  });

  it.each([
    ['p.pick("epoch 1 val acc 14.40")', printed, [1]],
    ['n = len(p.seen)\np.pick(f"epoch 1 val acc {n}4.40")', printed, [2]],
    ['p.pick("epoch 1")', printed, []],
    ['p.pick("training starts\\ntraining starts")', doubled, [1]],
    ['p.pick("training starts")', doubled, []],
  ])('of a line, %j', (text, facet, expected) => {
    expect(lines('prints-the-answer', text, facet)).toEqual(expected);
  });

  const raised = (message: string) =>
    createEvidence()
      .modules('picker.py')
      .exception({
        type: 'builtins.ValueError',
        message,
        frames: [at('script', 'repro.py', 5), at('subject', 'picker.py', 7, 'f')],
        raisedIn: 'subject',
      })
      .exit(1)
      .build();
  const level = (message: string) =>
    confirm(`${head}picker.Picker("${WORDS}")\n`, crash, {
      candidate: raised(message),
      fixed: createEvidence().modules('picker.py').exit(0).build(),
    }).find(({ detail }) => detail?.['lent'] !== undefined)?.level;

  it('prove nothing where the exception says them, whatever the control says', () => {
    expect(level(`unknown schedule: ${WORDS}`)).toBe('finding');
    expect(level('step 3 is past the end')).toBe('refuted');
  });

  it('are looked for once where names are put together from one another', () => {
    const names = Array.from({ length: 60 }, (_, place) => `a${place}`);
    const text = names
      .map((name, place) => `${name} = a${(place + 1) % 60} + a${(place + 7) % 60} + "x" + a${(place + 13) % 60}\n`)
      .join('');
    expect(lines('raises-itself', `${text}p.pick(a0)`, crash)).toEqual([]);
  });
});
