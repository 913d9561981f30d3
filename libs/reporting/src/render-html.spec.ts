import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VerdictState } from '@reenact/domain/schemas';
import type { ResultMaterial } from './result/result-material.js';
import { renderHtml } from './render-html.js';
import { sampleMaterial, sampleStatements } from './testing/sample-material.js';
import { sampleVerdict } from './testing/sample-verdict.js';

const ESC = String.fromCharCode(0x1b);

/** The same hostile text in every place where a report, a project or a script can put one. */
function hostileMaterial(text: string): ResultMaterial {
  const plain = sampleVerdict();
  const material = sampleMaterial(
    {
      sentence: text,
      gradeReason: text,
      reason: text,
      runId: text,
      facets: plain.facets.map((facet) => ({
        ...facet,
        id: text,
        statement: text,
        note: text,
        grounding: [{ trial: text, seq: 1, text }],
      })),
      controls: plain.controls.map((control) => ({ ...control, label: text, note: text })),
      findings: [{ rule: text, message: text, file: text, line: 2, level: 'finding', evidence: text }],
      missing: [text],
      needs: [{ reason: 'data', what: text, form: text, give: text }],
      skipped: [text],
      attempts: [{ context: 0, attempt: 1, candidate: 'c', origin: text, result: text, note: text, evidence: null }],
      environment: { id: text, python: text, sandbox: text },
      ranking: { engine: text, chunks: 1, embedder: { name: text, digest: text, embedded: 1, pending: 0 }, reranker: null },
      statements: sampleStatements().map((one) => ({ ...one, text, of: one.of === 'f1' ? text : one.of })),
    },
    text,
  );
  return {
    ...material,
    title: text,
    excerpts: material.excerpts.map((excerpt) => ({ ...excerpt, trial: text, facets: [{ id: text, state: 'shown' }] })),
    scripts: [{ path: text, text }],
    commands: [text],
    reportText: text.padEnd(50),
  };
}

/** Names of elements and attributes of a page, in order: all that a text could add to. */
function skeleton(page: string): string[] {
  return [...page.matchAll(/<(\/?[a-z0-9]+)((?:\s+[a-z-]+="[^"]*")*)\s*\/?>/gi)].map(
    ([, name, attributes]) => `${name} ${[...(attributes ?? '').matchAll(/([a-z-]+)="/gi)].map((match) => match[1]).join(' ')}`,
  );
}

describe('renderHtml', () => {
  const page = renderHtml(sampleMaterial());

  it('loads and runs nothing, and says so to the browser', () => {
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page).toContain(`default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;`);
    expect(page).not.toMatch(/<script|<img|<link|<iframe|\son[a-z]+=|javascript:|\bsrc=|@import|url\(/i);
    expect(
      [...page.matchAll(/href="([^"]*)"/g)].map((match) => match[1]).filter((href) => !/^(#[\w.-]+|[\w./-]+)$/.test(href ?? '')),
    ).toEqual([]);
  });

  it('links every sentence to a place that is there', () => {
    const ids = new Set([...page.matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]));
    const targets = [...page.matchAll(/href="#([^"]*)"/g)].map((match) => match[1]);
    expect(targets.length).toBeGreaterThan(8);
    expect(targets.filter((target) => !ids.has(target))).toEqual([]);
    expect(targets).toContain('trial-0123456789ab-candidate-0-seq-7');
    expect(page.match(/\sid="[^"]*"/g)?.length).toBe(ids.size);
  });

  it('tells state, rate, controls, evidence, script and replay', () => {
    for (const told of [
      '✔',
      'Reproduced',
      'role="img" aria-label="3 of 3 trials (95 % interval 29–100 %)"',
      'The symptom is gone: 0 of 3 trials',
    ])
      expect(page).toContain(told);
    for (const heading of ['Reported and observed', 'Controls', 'Integrity', 'Evidence', 'Script', 'Run it again', 'From the report'])
      expect(page).toContain(`>${heading}</h2>`);
    expect(page).toContain('<span id="script-0-L3">numpy.float</span>');
    expect(page).toContain('<strong>it stops with an AttributeErro</strong>');
  });

  it('keeps ideas and refused sentences out of the answer', () => {
    const [answer, doubts] = page.split('id="hypotheses"');
    expect(answer).not.toContain('the alias is gone');
    expect(answer).not.toContain('Trial x has');
    expect(doubts).toContain('the alias is gone');
    expect(doubts).toContain('there is no trial x');
  });

  it('is readable without sight and colour: one h1, landmarks, scoped headers, a language', () => {
    expect(page.match(/<h1/g)).toHaveLength(1);
    expect(page).toMatch(/<html lang="en">[^]*<header>[^]*<main id="content">[^]*<footer>/);
    expect(page.match(/<th(?![a-z])(?![^>]*scope=)/g)).toBeNull();
    expect(page).toContain('prefers-color-scheme: dark');
    expect(page).toContain('@media print');
  });

  it.each(VerdictState.options)('has words for %s', (verdict) => {
    const told = renderHtml(sampleMaterial({ verdict }));
    expect(told).toMatch(/<p class="state (?:yes|no|open|broken)">/);
    expect(told).toContain('<strong>Next:</strong>');
  });

  it('gives the template where the report lacks too much', () => {
    expect(renderHtml(sampleMaterial({ verdict: 'needs_info', missing: ['version'] }))).toContain('pip list');
  });

  it.each([
    ['a script', '</script><script>alert(1)</script>', /<script/i],
    ['the end of the style', '</style><style>body{display:none}</style>', /display:none\}<\/style>/],
    ['the end of an attribute', '" onmouseover="alert(1)', /" onmouseover="/],
    ['a single quote', "' onmouseover='alert(1)", /' onmouseover='/],
    ['a comment', '<!-- x', /<!--/],
    ['an entity', '&lt;script&gt;', /&lt;script/],
    ['escape sequences', `${ESC}]0;owned${String.fromCharCode(7)}x${ESC}[2J`, /;owned/],
    ['direction marks', 'safe\u202Egnp.exe', /\u202E/],
    ['control characters', 'a\u0000b\u0008c\u009b', /[^\P{Cc}\n]/u],
  ])('lets no %s through', (_, text, forbidden) => {
    expect(renderHtml(hostileMaterial(text))).not.toMatch(forbidden);
  });

  it('has the same elements and attributes, whatever a text holds', () => {
    const wanted = skeleton(renderHtml(hostileMaterial('x<')));
    const pieces = fc.constantFrom('<', '>', '"', "'", '&', '</span>', '<!--', ']]>', '`', '\\', '${x}', '%22', '\u2028');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), pieces, (text, piece) => {
        const words = `x${text}${piece}`.replace(/[\n\r\u2028\u2029\u0085]/g, ' ');
        expect(skeleton(renderHtml(hostileMaterial(words)))).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });

  it('stays small where a script prints without end', () => {
    const huge = 'A'.repeat(3_000_000);
    const shown = renderHtml(sampleMaterial({ sentence: huge }, huge));
    expect(shown.length).toBeLessThan(200_000);
    expect(renderHtml({ ...sampleMaterial(), scripts: [{ path: 'repro.py', text: 'x = 1\n'.repeat(100_000) }] }).length).toBeLessThan(
      400_000,
    );
  });
});
