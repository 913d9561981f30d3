import { describe, expect, it } from 'vitest';
import { needsInfoTemplate } from './needs-info-template.js';

describe('needsInfoTemplate', () => {
  it('asks for what is missing and nothing else, in the order of a report', () => {
    const template = needsInfoTemplate(['version', 'command']);
    expect(template).toMatch(/^To reproduce this[^]*How it is run[^]*pip list/);
    expect(template).not.toContain('traceback');
  });

  it.each(['symptom', 'command', 'code', 'version', 'environment', 'data'])('has a question for %s', (missing) => {
    expect(needsInfoTemplate([missing]).split('\n\n').length).toBeGreaterThan(1);
  });

  it('is empty where nothing is missing that can be asked for', () => {
    expect(needsInfoTemplate([])).toBe('');
    expect(needsInfoTemplate(['<script>'])).toBe('');
  });
});
