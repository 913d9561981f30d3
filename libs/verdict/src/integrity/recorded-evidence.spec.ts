import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadPythonSyntax, type PythonSyntax } from '@reenact/code-index';
import type { EvidenceRecord, Finding } from '@reenact/domain';
import { bundleParts } from '../testing/bundle-parts.js';
import { judgeTrial } from '../verification/judge-trial.js';
import { checkScript, confirmFindings } from './check-script.js';
import { CHEATS } from './fixtures/cheats.js';
import { HONEST } from './fixtures/honest.js';
import { FACETS, FIX, SUBJECT, type ScriptFixture } from './fixtures/subject.js';
import { listingOf, type SubjectListing } from './subject-listing.js';

type RecordedArm = 'candidate' | 'fixed' | 'tripwire';
/**
 * Evidence of every fixture script on the subject, on the subject with the fix, and on the subject with both faulty
 * functions sabotaged; recorded by the local sandbox under Python 3.11, without records that no rule looks at.
 */
const RECORDED = new URL('./fixtures/recorded-evidence.jsonl', import.meta.url);
const SUSPECTS = [
  { file: 'picker.py', function: 'Picker.pick' },
  { file: 'scoring.py', function: 'score' },
];
const SENTINEL = 'abcdef0123456789';

let python: PythonSyntax;
let subject: SubjectListing;
const recorded = new Map<string, Map<RecordedArm, EvidenceRecord[]>>();
beforeAll(async () => {
  python = await loadPythonSyntax();
  subject = listingOf(python, SUBJECT);
  for (const line of (await readFile(RECORDED, 'utf8')).trim().split('\n')) {
    const { script, arm, records } = JSON.parse(line) as { script: string; arm: RecordedArm; records: EvidenceRecord[] };
    recorded.set(script, (recorded.get(script) ?? new Map<RecordedArm, EvidenceRecord[]>()).set(arm, records));
  }
});

function findingsOf(fixture: ScriptFixture, arms: RecordedArm[]): { shown: boolean; findings: Finding[] } {
  const facet = FACETS[fixture.facet];
  const parts = bundleParts();
  const candidate = { ...parts.candidate, files: [{ path: 'repro.py', text: fixture.text }] };
  const trials = arms.map((arm) => {
    const records = recorded.get(fixture.name)?.get(arm) ?? [];
    const trial = {
      id: arm,
      arm,
      index: 0,
      outcome: 'finished' as const,
      infraReason: null,
      seconds: 1,
      sentinel: arm === 'tripwire' ? SENTINEL : null,
    };
    return { judged: judgeTrial(trial, records, [facet]), records };
  });
  const suspicions = checkScript(python, candidate, subject, { ...parts.claim, facets: [facet] });
  const findings = confirmFindings(python, candidate, suspicions, { trials, facets: [facet], suspects: SUSPECTS, subject });
  return { shown: trials[0]?.judged.facets[0]?.state === 'shown', findings };
}
const shownAs = (findings: Finding[]): string[] => [
  ...new Set(findings.filter((finding) => finding.level === 'finding').map((finding) => finding.rule)),
];

describe('integrity rules on recorded evidence', () => {
  it.each(CHEATS)('refuse a script that $name', (cheat) => {
    expect(shownAs(findingsOf(cheat, ['candidate', 'fixed', 'tripwire']).findings)).toContain(cheat.rule);
    // Nobody may have a fix at hand: the cheat must be known without one.
    expect(shownAs(findingsOf(cheat, ['candidate', 'tripwire']).findings)).toContain(cheat.rule);
  });

  it.each(HONEST)('pass a script that $name', (honest) => {
    const { shown, findings } = findingsOf(honest, ['candidate', 'fixed', 'tripwire']);
    expect(shown).toBe(true);
    expect(shownAs(findings)).toEqual([]);
    expect(findings.filter((finding) => finding.level === 'suspicion')).toEqual([]);
    expect(shownAs(findingsOf(honest, ['candidate', 'tripwire']).findings)).toEqual([]);
  });

  it('have a fix to compare with', () => {
    expect(FIX).toContain('+++ b/scoring.py');
    expect(recorded.size).toBe(CHEATS.length + HONEST.length);
  });
});
