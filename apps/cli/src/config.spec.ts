import { describe, expect, it } from 'vitest';
import { describeConfiguration, loadConfiguration, maskSecret, wantsColor } from './config.js';

describe('loadConfiguration', () => {
  it('names all problems at once, and no value', () => {
    const attempt = () => loadConfiguration({ LLM_API: 'telepathy', REENACT_IDLE_MINUTES: 'soon' });
    expect(attempt).toThrow(/REENACT_IDLE_MINUTES[^]*LLM_API/);
    expect(attempt).not.toThrow(/telepathy|soon/);
    expect(attempt).toThrow(expect.objectContaining({ code: 'config-invalid', exitStatus: 3 }));
  });

  it('makes the state directory absolute', () => {
    expect(loadConfiguration({ REENACT_STATE: 'state' }).stateDirectory).toBe(`${process.cwd()}/state`);
    expect(loadConfiguration({}).stateDirectory).toMatch(/\/\.reenact$/);
  });
});

describe('describeConfiguration', () => {
  it('tells value, origin and meaning, and hides secrets', () => {
    const entries = describeConfiguration({ LLM_API_KEY: 'sk-0123456789wxyz', LLM_MODEL: 'm' });
    const of = (name: string) => entries.find((entry) => entry.name === name);
    expect(of('LLM_API_KEY')).toMatchObject({ value: '…wxyz', origin: 'environment' });
    expect(of('LLM_MODEL')).toMatchObject({ value: 'm', origin: 'environment', meaning: expect.stringContaining('model') as string });
    expect(of('REENACT_IDLE_MINUTES')).toMatchObject({ value: '30', origin: 'default' });
    expect(of('TEMPORAL_ADDRESS')).toMatchObject({ value: null, origin: 'default' });
    expect(entries.every((entry) => entry.meaning !== '')).toBe(true);
  });

  it('shows nothing of a short secret', () => {
    expect(maskSecret('abcd')).toBe('…');
  });
});

describe('wantsColor', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [false, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
  ])('terminal %s with %j: %s', (isTerminal, variables, wanted) => {
    expect(wantsColor(isTerminal, variables)).toBe(wanted);
  });
});
