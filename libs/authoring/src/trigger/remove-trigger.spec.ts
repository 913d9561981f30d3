import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Launch } from '@reenact/domain/schemas';
import { readReport } from '@reenact/report';
import { claimFromReport } from '../claim/claim-from-report.js';
import { removeTrigger } from './remove-trigger.js';

const launch = (argv: string[], ranks = 1): Launch => Launch.parse({ schemaVersion: 1, steps: [{ argv, ranks }] });
const script = (text: string) => [{ path: 'repro.py', text }];

function removed(report: string, parts: { argv?: string[]; ranks?: number; text?: string }) {
  const claim = claimFromReport(readReport(Buffer.from(`# Training breaks\n\n${report}\n`)));
  return removeTrigger(
    { launch: launch(parts.argv ?? ['python', '@script/repro.py'], parts.ranks), files: script(parts.text ?? '') },
    claim,
  );
}

describe('removeTrigger', () => {
  it.each([
    ['`python train.py 1` is fine, `python train.py 2` fails.', ['python', 'train.py', '2'], ['python', 'train.py', '1']],
    [
      'The loss is nan with `--amp`. Without `--amp` it trains fine.',
      ['python', 'train.py', '--amp', '--lr', '1'],
      ['python', 'train.py', '--lr', '1'],
    ],
    [
      'It hangs with two loaders. With `--num-workers 0` it works.',
      ['python', 'train.py', '--num-workers', '2'],
      ['python', 'train.py', '--num-workers', '0'],
    ],
    [
      'It raises an error. With num_workers=0 everything works.',
      ['python', 'train.py', '--num-workers=2'],
      ['python', 'train.py', '--num-workers=0'],
    ],
    [
      'It raises an error. With a batch size of 1 it works.',
      ['python', 'train.py', '--batch-size', '7'],
      ['python', 'train.py', '--batch-size', '1'],
    ],
  ])('changes the command to the condition that is said to be well: %s', (report, argv, expected) => {
    expect(removed(report, { argv })?.launch.steps[0]?.argv).toEqual(expected);
  });

  it('takes all but one process away', () => {
    const control = removed('Training of the model hangs after some steps. With one worker it finishes.', {
      argv: ['python', 'train.py'],
      ranks: 2,
    });
    expect(control).toMatchObject({ label: 'the trigger taken out: with one process', launch: { steps: [{ ranks: 1 }] }, files: [] });
  });

  it('sets a variable', () => {
    const control = removed('The results differ from run to run. With `OMP_NUM_THREADS=1` it does not happen.', {
      argv: ['python', 'train.py'],
    });
    expect(control?.launch.env).toEqual({ OMP_NUM_THREADS: '1' });
  });

  it.each([
    ['With num_workers=0 it works.', 'load(data, num_workers=2, pin=True)\n', 'load(data, num_workers=0, pin=True)\n'],
    ['With dtype=torch.float64 all is fine.', 'run(x, dtype=torch.float32)\n', 'run(x, dtype=torch.float64)\n'],
    ['With reduction=sum the value is correct.', 'loss(x, y, reduction="mean")\n', "loss(x, y, reduction='sum')\n"],
  ])('changes a keyword of the script: %s', (report, text, expected) => {
    expect(removed(`It raises a ValueError. ${report}`, { text })?.files[0]?.text).toBe(expected);
  });

  it.each([
    ['It raises a ValueError. With num_workers=0 it fails as well.', 'load(data, num_workers=2)\n'],
    ['It raises a ValueError. With num_workers=2 it works.', 'load(data, num_workers=2)\n'],
    ['It raises a ValueError. I expected it to work with num_workers=0.', 'load(data, num_workers=2)\n'],
    ['It raises a ValueError. On my old data it works.', 'load(data, num_workers=2)\n'],
    ['It raises a ValueError. With num_workers=0 it works.', 'load(data, num_workers=count(2))\n'],
  ])('makes nothing up: %s', (report, text) => {
    expect(removed(report, { text })).toBeNull();
  });

  it('never changes what is not named, and ends on any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (noise) => {
        const control = removeTrigger(
          { launch: launch(['python', 'train.py', '--seed', '3']), files: script('run(alpha=0.2)\n') },
          { triggers: [{ text: `${noise} works fine`, span: null }] },
        );
        expect(control === null || /seed|alpha|train\.py|=/.test(noise)).toBe(true);
      }),
    );
  });
});
