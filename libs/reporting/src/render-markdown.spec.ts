import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '@reenact/domain';
import { codeBlock, codeSpan, escapeProse } from './markdown-text.js';
import { renderMarkdown } from './render-markdown.js';
import type { ResultMaterial } from './result/result-material.js';
import { sampleMaterial, sampleStatements } from './testing/sample-material.js';
import { sampleVerdict } from './testing/sample-verdict.js';

/** The same hostile text in every place where a report, a project or a script can put one. */
function hostileVerdict(text: string): Verdict {
  const verdict = sampleVerdict();
  return sampleVerdict({
    sentence: text,
    gradeReason: text,
    reason: text,
    facets: verdict.facets.map((facet) => ({
      ...facet,
      id: text,
      statement: text,
      note: text,
      grounding: [{ trial: text, seq: 1, text }],
    })),
    controls: verdict.controls.map((control) => ({ ...control, label: text, note: text })),
    findings: [{ rule: text, message: text, file: text, level: 'finding', evidence: text }],
    missing: [text],
    needs: [{ reason: 'data', what: text, form: text, give: text }],
    skipped: [text],
    attempts: [{ context: 0, attempt: 1, candidate: 'c', origin: text, result: text, note: text, evidence: null }],
    environment: { id: text, python: text, sandbox: text },
    ranking: { engine: text, chunks: 1, embedder: { name: text, digest: text, embedded: 1, pending: 0 }, reranker: null },
    statements: sampleStatements().map((one) => ({
      ...one,
      text,
      ...(one.note === undefined ? {} : { note: text }),
      of: one.of === 'f1' ? text : one.of,
      rests: one.rests.map((rest) => (rest.type === 'record' ? { ...rest, trial: text } : rest)),
    })),
  });
}

function hostileMaterial(text: string): ResultMaterial {
  const material = sampleMaterial({}, text);
  const excerpts = material.excerpts.map((excerpt) => ({ ...excerpt, trial: text, facets: [{ id: text, state: 'shown' as const }] }));
  return {
    ...material,
    title: text,
    verdict: hostileVerdict(text),
    excerpts,
    reportText: `${'x'.repeat(20)}${text}`.padEnd(50),
    commands: [text],
  };
}

/** What a reader's browser would see as markup: code spans of any fence and backslash escapes are taken out first. */
function outsideCode(page: string): string {
  return page.replace(/(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)/g, 'CODE').replace(/\\[!-/:-@[-`{-~]/g, '');
}

describe('renderMarkdown', () => {
  it('shows the whole verdict', () => {
    expect(renderMarkdown(sampleMaterial())).toMatchInlineSnapshot(`
      "# \`reproduced\`: Training stops

      **Reproduced: 3 of 3 fresh trials show it (95 % interval 29–100 %), 0 of 3 with the subject with the patch given; grade A, depth L6.**

      It rests on

      - Reproduced: 3 of 3 fresh trials show it (95 % interval 29–100 %): [3 candidate trials](#trials)
      - 0 of 3 with the subject with the patch given: [1 fixed trial](#trials)
      - grade A, depth L6: [judge: grade](verdict.json)

      Every symptom that the report states as observed came in fresh runs, and it was gone in a control. Next: Unpack the bundle and debug; once a fix is there, replay the bundle on it.

      |  |  |
      | --- | --- |
      | Rate | 3 of 3 trials (95 % interval 29–100 %) |
      | Grade | A (real code, reported versions): numpy 2.3.5 as reported ([environment](verdict.json)) |
      | Depth | L6: it fails here and passes with the fix or the good version ([3 candidate trials](#trials), [1 fixed trial](#trials)) |
      | Environment | It ran with Python 3.11.7 ([trial 0123456789ab-candidate-0, record 1](evidence/0123456789ab-candidate-0.jsonl#L1)) |
      | Trials | 7 |
      | Model | no model was asked |
      | Time | 1 min 01 s |
      | Run | \`loss-turns-nan-1a2b3c\` |

      ## Reported and observed

      ### \`f1\`: shown

      - Reported: \`AttributeError: module 'numpy' has no attribute 'float'\`
      - Rate: 3 of 3 trials (95 % interval 29–100 %), recorded by the harness
      - The report says “it stops with an AttributeError” ([report, characters 12–42](#from-the-report))
      - Trial 0123456789ab-candidate-0 has “AttributeError: module 'numpy' has no attribute 'float'” ([trial 0123456789ab-candidate-0, record 7](evidence/0123456789ab-candidate-0.jsonl#L3))

      ## What the report lacks

      - the version of CUDA

      ## Controls

      | arm | what is changed | outcome | p | what was seen |
      | --- | --- | --- | --- | --- |
      | fixed | \`the subject with the patch given\` | symptom gone (0 of 3) | – | The symptom is gone: 0 of 3 trials (95 % interval 0–71 %) ([1 fixed trial](#trials)) |
      | good | \`other environment\` | not run | 0.050 | – |

      ## Integrity

      | rule | level | place | what |
      | --- | --- | --- | --- |
      | \`prints-the-answer\` | refuted | \`repro.py:4\` | a literal equals the text (the subject raised it) |

      ## Attempts

      | attempt | origin | result | note |
      | --- | --- | --- | --- |
      | 0-1 | report-command | \`reproduced\` | shown at once |

      ## What was skipped

      - refining the claim: no model is configured

      ## Hypotheses (nothing here was shown)

      - “the alias is gone”

      ## Not grounded (no part of the answer)

      - Trial x has “42” – there is no trial x

      ## From the report

      - characters 12–42: \`it stops with an AttributeErro\`

      ## Trials

      | trial | arm | facets | records kept |
      | --- | --- | --- | --- |
      | [0123456789ab-candidate-0](evidence/0123456789ab-candidate-0.jsonl) | candidate | f1 shown | 4 of 9 |
      | [0123456789ab-fixed-0](evidence/0123456789ab-fixed-0.jsonl) | fixed | f1 absent | 0 of 5 |

      ## Replay

      Bundle \`abababababababababababababababababababababababababababababababab\` is the file \`bundle.tar\` beside this page.

      \`\`\`sh
      ./reenact replay loss-turns-nan-1a2b3c   # fresh trials, no model
      ./reenact open loss-turns-nan-1a2b3c     # unpacks it; sh run.sh then runs it by hand
      \`\`\`
      "
    `);
  });

  it.each([
    ['HTML', '<img src=x onerror=alert(1)>', /<img/],
    ['an entity', '&lt;script&gt;', /&lt;script/],
    ['a link', '[click](http://evil.example)', /\]\(/],
    ['an image', '![x](http://evil.example/t.png)', /!\[/],
    ['a bare address', 'see https://evil.example/x', /https:\/\//],
    ['a mention', 'hello @everyone and @org/team', /@[a-z]/],
    ['a reference', 'fixes #123', /#\d/],
    ['emphasis', 'a **bold** _claim_', /\*\*bold|_claim_/],
    ['a code fence', '```\n# owned\n```', /^# owned/m],
    ['a heading by line breaks', 'x\n# owned\n\n---', /^# owned|^---$/m],
    ['escape sequences', `${String.fromCharCode(27)}]0;owned${String.fromCharCode(7)}${String.fromCharCode(27)}[2J`, /owned|\[2J/],
    ['a line separator', 'x\u2028# owned', /^# owned/m],
  ])('lets no %s through', (_, text, forbidden) => {
    const page = renderMarkdown(hostileMaterial(text));
    const seen = outsideCode(page)
      .replace(/\]\((?:#[a-z-]+|verdict\.json|claim\.json)\)/g, '')
      .replace('**', '')
      .replace('**', '')
      .replaceAll('&amp;', '')
      .replace(/&lt;(?!script)|&gt;/g, '');
    expect(seen).not.toMatch(forbidden);
  });

  it('keeps tables whole: a text adds no column and no line', () => {
    const cells = (page: string) =>
      page
        .split('\n')
        .filter((line) => line.startsWith('| fixed'))
        .map((line) => line.split(/(?<!\\)\|/).length);
    const plain = cells(renderMarkdown(hostileMaterial('x')));
    expect(plain).toHaveLength(1);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('|', '\\|', '`|`', '\n| a |', '\\'), (text, sign) => {
        expect(cells(renderMarkdown(hostileMaterial(`${text}${sign}${text}`)))).toEqual(plain);
      }),
      { numRuns: 60 },
    );
  });

  it('has as many lines as before, whatever a text holds', () => {
    const count = renderMarkdown(hostileMaterial('x')).split('\n').length;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => renderMarkdown(hostileMaterial(`x${text}`)).split('\n').length === count),
      { numRuns: 60 },
    );
  });

  it('has a template to paste where the report lacks too much', () => {
    const page = renderMarkdown(sampleMaterial({ verdict: 'needs_info', missing: ['version'] }));
    expect(page).toContain('## To ask the reporter');
    expect(page).toContain('pip list');
  });

  it('offers no replay without a bundle, and no command made of a strange id', () => {
    expect(renderMarkdown(sampleMaterial({ bundle: null }))).not.toContain('## Replay');
    expect(renderMarkdown(sampleMaterial({ runId: 'x; rm -rf ~' }))).not.toContain('replay x;');
  });
});

describe('code', () => {
  it('is fenced by more backticks than it holds', () => {
    expect(codeSpan('a `` b')).toBe('```a `` b```');
    expect(codeSpan('`a')).toBe('`` `a ``');
    expect(codeSpan('')).toBe('–');
    expect(codeBlock('````\nx', { language: 'python' })).toBe('`````python\n````\nx\n`````');
    expect(codeBlock('a\n'.repeat(5), { maxLines: 2 })).toContain('… 4 more lines');
  });

  it('escapes what begins a list, heading or number at the start of prose', () => {
    expect(escapeProse('- x')).toBe('\\- x');
    expect(escapeProse('1. x')).toBe('1\\. x');
    expect(escapeProse('# x')).toBe('\\# x');
  });
});
