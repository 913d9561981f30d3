import { describe, expect, it } from 'vitest';
import { weighCut } from './weigh-cut.js';

describe('weighCut', () => {
  it('decides by one trial where the fault always shows', () => {
    expect(weighCut(['shown'], 1)).toBe('keeps');
    expect(weighCut(['absent'], 1)).toBe('lost');
    expect(weighCut(['skip'], 1)).toBe('lost');
  });

  it('asks a chance fault for two shown trials, and gives up after the bound of a miss', () => {
    expect(weighCut([], 0.5)).toBe('more');
    expect(weighCut(['absent', 'shown'], 0.5)).toBe('more');
    expect(weighCut(['shown', 'absent', 'shown'], 0.5)).toBe('keeps');
    // ⌈ln 0.05 / ln 0.5⌉ = 5
    expect(weighCut(Array<'absent'>(4).fill('absent'), 0.5)).toBe('more');
    expect(weighCut(Array<'absent'>(5).fill('absent'), 0.5)).toBe('lost');
    expect(weighCut(['shown', ...Array<'absent'>(13).fill('absent')], 0.5)).toBe('more');
    expect(weighCut(['shown', ...Array<'absent'>(14).fill('absent')], 0.5)).toBe('lost');
  });
});
