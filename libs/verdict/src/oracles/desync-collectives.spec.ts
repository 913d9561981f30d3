import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence } from '../testing/index.js';

const oracle = { kind: 'desync', of: 'collectives' };
type Extra = Parameters<ReturnType<typeof createEvidence>['collective']>[2];
type Call = [rank: number, op: string, extra?: Extra];

const SCRIPT = { file: 'main.py', line: 3, function: 'work', place: 'script' } as const;
const float = (...shape: number[]): Extra => ({ shape, dtype: 'torch.float32' });
const calls = (...made: Call[]) => made.reduce((evidence, call) => evidence.collective(...call), createEvidence());
/** Both ranks are first-level processes and end well. */
const ended = (...made: Call[]) =>
  calls(...made)
    .exit(0, { pid: 20, rank: 0 })
    .exit(0, { pid: 21, rank: 1 })
    .build();
const stateOf = (...made: Call[]) => ask(oracle, ended(...made)).state;

describe('desync of collectives', () => {
  it('is shown by ranks that call other collectives at the same place, and names them with their frames', () => {
    const answer = ask(
      oracle,
      ended([0, 'all_reduce', float(4)], [1, 'all_reduce', float(4)], [0, 'barrier'], [1, 'broadcast', { root: 0 }]),
    );
    expect(answer.state).toBe('shown');
    expect(answer.note).toBe(
      'at call 2 of group world rank 1 calls broadcast(root 0) at train.py:7 in step, but rank 0 calls barrier at train.py:7 in step',
    );
    expect(answer.grounding.map(({ seq }) => seq)).toEqual([4, 5]);
  });

  it('names the rank outside of the majority first', () => {
    const three: Extra = { size: 3, members: [0, 1, 2] };
    const made = calls([0, 'barrier', three], [1, 'all_gather', three], [2, 'barrier', three]).exit(0).build();
    expect(ask(oracle, made).note).toMatch(/rank 1 calls all_gather .*, but ranks 0, 2 call barrier/);
  });

  it('is shown by tensors, roots and reductions that differ', () => {
    expect(stateOf([0, 'all_reduce', float(4)], [1, 'all_reduce', float(2)])).toBe('shown');
    expect(stateOf([0, 'all_reduce', float(4)], [1, 'all_reduce', { ...float(4), dtype: 'torch.float16' }])).toBe('shown');
    expect(stateOf([0, 'broadcast', { root: 0 }], [1, 'broadcast', { root: 1 }])).toBe('shown');
    expect(stateOf([0, 'all_reduce', { reduction: 'SUM' }], [1, 'all_reduce', { reduction: 'AVG' }])).toBe('shown');
  });

  it('does not compare what a call of one rank does not tell', () => {
    expect(stateOf([0, 'all_reduce', { reduction: 'SUM', ...float(4) }], [1, 'all_reduce'])).toBe('absent');
    expect(stateOf([0, 'broadcast'], [1, 'broadcast', { root: 1 }])).toBe('absent');
    expect(stateOf([0, 'broadcast', { root: 1 }], [1, 'broadcast'])).toBe('absent');
    expect(stateOf([0, 'all_gather', float(4)], [1, 'all_gather', float(2)])).toBe('absent');
  });

  it('is shown by a rank that ended while the other goes on', () => {
    const made: Call[] = [
      [0, 'barrier'],
      [1, 'barrier'],
      [0, 'all_reduce', float(4)],
    ];
    expect(ask(oracle, ended(...made)).note).toMatch(/^at call 2 of group world rank 0 calls all_reduce.*, rank 1 never comes to it$/);
    const stalled = calls(...made)
      .exit(0, { pid: 21, rank: 1 })
      .exit(null, { pid: 20, rank: 0, endedBy: 'hang' })
      .build();
    expect(ask(oracle, stalled).state).toBe('shown');
  });

  it('is shown by ranks that wait in calls of other groups', () => {
    const pair: Extra = { group: '1', size: 2, members: [0, 1] };
    const waiting = (file: string) =>
      calls([0, 'barrier'], [1, 'barrier'], [0, 'all_reduce'], [1, 'barrier', pair])
        .stall({ blocked: [20, 21].map((pid) => ({ pid, signature: 's', at: { file, line: 1 } })) })
        .exit(null, { endedBy: 'hang' })
        .build();
    const answer = ask(oracle, waiting('/lib/torch/distributed/distributed_c10d.py'));
    expect([answer.state, answer.note]).toEqual(['shown', expect.stringMatching(/^at call 2 of group world rank 0 calls all_reduce/)]);
    // A rank that stands elsewhere, such as in the loading of data, may yet come to the call.
    expect(ask(oracle, waiting('/lib/queue.py')).state).toBe('collision');
  });

  it('is absent where every group sees the same', () => {
    expect(stateOf([0, 'barrier'], [1, 'barrier'])).toBe('absent');
    expect(stateOf([0, 'all_gather', float(4)], [1, 'all_gather', float(2)])).toBe('absent');
    expect(stateOf([0, 'all_to_all'], [1, 'all_to_all'], [0, 'send', { pointToPoint: true }])).toBe('absent');
    const alone: Extra = { group: '3', size: 1, members: [0] };
    expect(stateOf([0, 'barrier'], [0, 'barrier', alone], [1, 'barrier'])).toBe('absent');
  });

  it('is undecided without records, without a rank, or where a rank was cut off', () => {
    expect(stateOf()).toBe('undecided');
    expect(stateOf([0, 'barrier'])).toBe('undecided');
    expect(ask({ ...oracle, ranks: 3 }, ended([0, 'barrier'], [1, 'barrier'])).state).toBe('undecided');
    const cut = calls([0, 'barrier'], [1, 'barrier'], [0, 'barrier']).exit(null, { endedBy: 'wall-limit' }).build();
    expect(ask(oracle, cut).state).toBe('undecided');
    const same = calls([0, 'barrier'], [1, 'barrier']).exit(null, { endedBy: 'wall-limit' }).build();
    expect(ask(oracle, same).state).toBe('undecided');
    const many = calls([0, 'barrier'], [1, 'barrier']).notice('collectives-cut', 'more').exit(0).build();
    expect(ask(oracle, many).state).toBe('undecided');
  });

  it('is undecided after a restart of a rank, and for groups whose ranks are unknown', () => {
    expect(stateOf([0, 'barrier'], [1, 'barrier'], [1, 'barrier', { pid: 40 }])).toBe('undecided');
    const large: Extra = { group: '1', size: 70, members: [0, 1] };
    expect(stateOf([0, 'barrier'], [1, 'barrier'], [0, 'barrier', large], [1, 'all_reduce', large])).toBe('undecided');
  });

  it('does not count calls of the script alone, unless the subject is a library', () => {
    const made = ended([0, 'barrier', { at: SCRIPT }], [1, 'all_reduce', { at: SCRIPT }]);
    expect(ask(oracle, made).state).toBe('undecided');
    expect(ask(oracle, made, { subjectIsLibrary: true }).state).toBe('shown');
  });

  it('is a collision where another failure came before the ranks could part', () => {
    const failed = calls([0, 'barrier']).exception({ type: 'builtins.ValueError', message: 'bad' }).exit(1).build();
    expect(ask(oracle, failed).state).toBe('collision');
  });

  it('never depends on how the records of the ranks interleave', () => {
    const order = fc.shuffledSubarray([0, 0, 0, 1, 1, 1], { minLength: 6 });
    fc.assert(
      fc.property(order, fc.nat(2), fc.boolean(), (turns, at, differs) => {
        const numbers = [0, 0];
        const made = turns.map((rank): Call => {
          const number = (numbers[rank] = (numbers[rank] ?? 0) + 1) - 1;
          return [rank, differs && rank === 1 && number === at ? 'broadcast' : 'all_reduce'];
        });
        expect(stateOf(...made)).toBe(differs ? 'shown' : 'absent');
      }),
    );
  });
});
