import { describe, expect, it } from 'vitest';
import { meaningfulLines, queryTokens } from './query.js';

function count(tokens: string[], token: string): number {
  return tokens.filter((item) => item === token).length;
}

describe('query', () => {
  it('drops the boilerplate of forms and environment dumps, keeps the words of the reporter', () => {
    const body = [
      '<!-- please search first',
      'for duplicates -->',
      '### Describe the bug',
      'Loss is nan, see https://example.org/train/42',
      '- [x] I have searched',
      'Python version: 3.10',
      '[pip3] numpy==1.26',
      'torch==2.1.0',
      'OS: Linux',
      'the end <!-- never closed',
    ].join('\n');
    const kept = meaningfulLines(body)
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    expect(kept).toEqual(['Loss is nan, see', 'the end <!-- never closed']);
  });

  it('drops frames of libraries with their code, keeps those of the project', () => {
    const body = [
      '  File "/home/me/proj/train.py", line 3, in main',
      '    fit(model)',
      '  File "/opt/lib/python3.10/site-packages/torch/nn/modules/module.py", line 9, in _call_impl',
      '    return forward_call(*args)',
      '           ^^^^^^^^^^^^^^^^^^^',
      'RuntimeError: shape mismatch',
    ].join('\n');
    expect(meaningfulLines(body)).not.toContain('forward_call');
    expect(meaningfulLines(body)).toContain('fit(model)');
    expect(meaningfulLines(body)).toContain('RuntimeError: shape mismatch');
  });

  it('repeats frames and symbols of the claim', () => {
    const frames = [
      { file: 'C:\\work\\epoch_loop.py', function: 'run_epoch' },
      { file: 'main.py', function: '<module>' },
    ];
    const tokens = queryTokens({ title: 'Zero loss', body: 'loss', frames: [], symbols: ['nn.Meter', 'nn.Meter'] }, frames);
    expect(count(tokens, 'loss')).toBe(2);
    expect(count(tokens, 'run_epoch')).toBe(3);
    expect(count(tokens, 'epoch_loop')).toBe(3);
    expect(count(tokens, 'module')).toBe(0);
    expect(count(tokens, 'meter')).toBe(2);
  });

  it('stays quick on hostile text', () => {
    const body = ['<!--'.repeat(25_000), 'File "'.repeat(20_000), `- [${' '.repeat(50_000)}`, '#'.repeat(90_000), 'a.'.repeat(50_000)].join(
      '\n',
    );
    expect(queryTokens({ title: '', body, frames: [], symbols: [] }, []).length).toBeLessThan(100_000);
  });
});
