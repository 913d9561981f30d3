import { describe, expect, it } from 'vitest';
import { progressText } from './index-progress.js';
import { bytes, duration, planWords } from './index-words.js';

describe('planWords', () => {
  it('says what is indexed, what is not and why, and where most of that lies', () => {
    const plan = {
      files: 3,
      bytes: 12_345,
      kinds: { python: { files: 2, bytes: 12_000 }, readme: { files: 1, bytes: 345 } },
      skipped: [
        { path: '.git', reason: 'hidden' as const },
        { path: 'big.py', reason: 'too-big' as const },
        { path: '.venv', reason: 'hidden' as const },
      ],
    };
    const folders = [
      { path: '.venv\u001b[31m', reason: 'hidden' as const, files: 9_000, bytes: 2_500_000_000, isWhole: false },
      { path: '.git', reason: 'hidden' as const, files: 12, bytes: 900, isWhole: true },
    ];
    const lines = planWords(plan, folders).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'Indexed: 3 files, 12.3 kB (2 Python files, 1 README).',
      'Skipped: 3 files or folders (2 hidden, 1 too big).',
      'The fullest skipped folders:',
    ]);
    expect(lines[3]).toMatch(/^ {2}\.venv.* {2}more than 9000 files {2}2\.50 GB {2}hidden$/);
    expect(lines[3]).not.toContain('\u001b');
    expect(lines[4]).toMatch(/^ {2}\.git +12 files +900 B +hidden$/);
  });
});

describe('progressText', () => {
  it('says how far it is and how long it takes, once that is known', () => {
    const state = { filesDone: 10, filesTotal: 40, bytesDone: 2_000_000, bytesTotal: 8_000_000 };
    expect(progressText({ ...state, secondsLeft: null })).toBe('… 10 of 40 files · 2.0 MB of 8.0 MB');
    expect(progressText({ ...state, secondsLeft: 75 })).toBe('… 10 of 40 files · 2.0 MB of 8.0 MB · 1 min 15 s left');
  });
});

it('rounds times and sizes for a person', () => {
  expect([duration(0.123), duration(12.6), duration(61)]).toEqual(['0.1 s', '13 s', '1 min 1 s']);
  expect([bytes(999), bytes(1_500), bytes(2_000_000_000)]).toEqual(['999 B', '1.5 kB', '2.00 GB']);
});
