import { describe, expect, it } from 'vitest';
import { createJsonReporter, createTerminalReporter } from './reporter.js';
import { renderMarkdown } from './render-markdown.js';
import { renderTerminalEvent, renderTerminalVerdict } from './render-terminal.js';
import { sampleMaterial } from './testing/sample-material.js';
import { sampleVerdict } from './testing/sample-verdict.js';

const ESC = String.fromCharCode(27);
const LINKS = { folder: '/s/runs/r', uiUrl: 'http://127.0.0.1:1/w', next: './reenact open r' };

function recorder() {
  const written = { data: '', talk: '' };
  return { written, data: (text: string) => void (written.data += text), talk: (text: string) => void (written.talk += text) };
}

describe('renderTerminalVerdict', () => {
  it('ends with a template to paste where the report lacks too much, and only there', () => {
    const lacking = { missing: ['command'] };
    expect(renderTerminalVerdict(sampleVerdict({ ...lacking, verdict: 'needs_info' }), LINKS, { color: false })).toContain('How it is run');
    expect(renderTerminalVerdict(sampleVerdict(lacking), LINKS, { color: false })).not.toContain('How it is run');
  });

  it('says what decides when a fault by chance comes', () => {
    const lever = {
      lever: { kind: 'hash-seed' as const, value: 3 },
      under: { shown: 5, total: 5 },
      against: { shown: 0, total: 5 },
      otherSeed: 1,
      control: { shown: 0, total: 4 },
      effect: 'more' as const,
      p: 0.004,
      proven: true,
    };
    const drawn = renderTerminalVerdict(sampleVerdict({ levers: [lever] }), LINKS, { color: false });
    expect(drawn).toContain('lever       brings the symptom: with PYTHONHASHSEED=3 in 5 of 5, with PYTHONHASHSEED=1 in 0 of 5');
    const page = renderMarkdown(sampleMaterial({ levers: [{ ...lever, proven: false, control: { shown: 2, total: 4 } }] }));
    expect(page).toContain('tells nothing, the symptom comes in the control as well (2 of 4)');
    expect(renderMarkdown(sampleMaterial())).not.toContain('Levers');
  });

  it('tells what a closer look told, plainly', () => {
    const explanations = [{ facet: 'f1', text: `first NaN in ${ESC}[31mnorm\nx`, grounding: [] }];
    const shown = renderTerminalVerdict(sampleVerdict({ explanations }), LINKS, { color: false });
    expect(shown).toMatch(/^ {2}closer look first NaN in [^\n]*norm x$/m);
    expect(shown).not.toContain(ESC);
    const other = sampleVerdict({ explanations: [{ facet: 'f2', text: 'of another facet', grounding: [] }] });
    expect(renderTerminalVerdict(other, LINKS, { color: false })).not.toContain('of another facet');
  });

  it('says by what contexts were chosen, where any were', () => {
    const ranking = { engine: 'embedded', chunks: 7, embedder: null, reranker: null };
    const shown = renderTerminalVerdict(sampleVerdict({ ranking }), LINKS, { color: false });
    expect(shown).toContain('  contexts    7 chunks ranked by words alone, since no embedding model is configured (embedded engine)');
    expect(renderMarkdown(sampleMaterial({ ranking }))).toContain('| Contexts | 7 chunks ranked by words alone');
  });

  it('says everything on one screen', () => {
    expect(renderTerminalVerdict(sampleVerdict(), LINKS, { color: false })).toMatchInlineSnapshot(`
      "✔ reproduced
        Reproduced: 3 of 3 fresh trials show it (95 % interval 29–100 %), 0 of 3 with the subject with the patch given; grade A, depth L6.

        rate        3 of 3 trials (95 % interval 29–100 %)
        grade       A (real code, reported versions): numpy 2.3.5 as reported
        depth       L6 (it fails here and passes with the fix or the good version)
        reported    AttributeError: module 'numpy' has no attribute 'float'
        observed    shown: AttributeError: module 'numpy' has no attribute 'float' (trial 0123456789ab-candidate-0, record 7)
        control     fixed: symptom gone (0 of 3), the subject with the patch given
        control     good: not run, other environment
        missing     the version of CUDA
        skipped     refining the claim: no model is configured
        cost        1 min 01 s, 7 trials, no model was asked
        folder      /s/runs/r
        bundle      /s/runs/r/bundle.tar
        Temporal UI http://127.0.0.1:1/w
        next        ./reenact open r"
    `);
  });

  it('colours only where asked, and never by the texts themselves', () => {
    const hostile = sampleVerdict({ sentence: `${ESC}[2J${ESC}]0;owned${String.fromCharCode(7)}fine`, reason: null });
    expect(renderTerminalVerdict(hostile, LINKS, { color: false })).not.toContain(ESC);
    expect(renderTerminalVerdict(hostile, LINKS, { color: true })).not.toContain(`${ESC}[2J`);
    expect(renderTerminalVerdict(hostile, LINKS, { color: true })).toContain(`${ESC}[32m`);
  });
});

describe('reporters', () => {
  const event = { sequence: 1, at: '2026-01-01T00:01:05.000Z', phase: 'verify', message: `running\n3 × candidate${ESC}[31m` };

  it('tells an event as one line with its clock', () => {
    expect(renderTerminalEvent(event, Date.parse('2026-01-01T00:00:00.000Z'), { color: false })).toBe(
      '  1:05  verify      running 3 × candidate',
    );
  });

  it('keeps data and talk apart', () => {
    const terminal = recorder();
    const reporter = createTerminalReporter(terminal, { color: false });
    reporter.event(event);
    reporter.verdict(sampleVerdict(), LINKS);
    expect(terminal.written.talk).toBe('  0:00  verify      running 3 × candidate\n');
    expect(terminal.written.data).toContain('✔ reproduced');
  });

  it('prints exactly one object as JSON', () => {
    const json = recorder();
    const reporter = createJsonReporter(json, { events: false });
    reporter.event(event);
    reporter.verdict(sampleVerdict(), LINKS);
    expect(JSON.parse(json.written.data)).toEqual(sampleVerdict());
    expect(json.written.talk).toBe('');
  });
});
