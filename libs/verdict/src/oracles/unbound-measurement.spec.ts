import { describe, expect, it } from 'vitest';
import { createEvidenceView } from '../evidence/evidence-view.js';
import { createEvidence, exceptionOracle, observedFacet } from '../testing/index.js';
import { evaluateFacet } from './evaluate-facet.js';

const hang = observedFacet([{ kind: 'hang', silentSeconds: 20 }]);

/** A script that watches a child, ends it, and reports a number. */
function watching() {
  return createEvidence().process(10).process(20, 10).obs({ stalled: 'True' }).exit(0).build();
}

describe('a facet that rules read from the report', () => {
  it('is undecided where the script watches a child and measures it, and the answer says so', () => {
    const answer = evaluateFacet(hang, createEvidenceView(watching()), { readByRules: true });
    expect(answer.state).toBe('undecided');
    expect(answer.note).toContain('stalled');
  });

  it('stays absent where nothing is measured, no child is watched, or the harness would have seen it', () => {
    const bare = createEvidence().process(10).process(20, 10).exit(0).build();
    const alone = createEvidence().process(10).obs({ stalled: 'False' }).exit(0).build();
    expect(evaluateFacet(hang, createEvidenceView(bare), { readByRules: true }).state).toBe('absent');
    expect(evaluateFacet(hang, createEvidenceView(alone), { readByRules: true }).state).toBe('absent');
    const crash = observedFacet([exceptionOracle({ types: ['ValueError'] })]);
    expect(evaluateFacet(crash, createEvidenceView(watching()), { readByRules: true }).state).toBe('absent');
  });

  it('is undecided where want of memory is measured at a small scale', () => {
    const oom = observedFacet([{ kind: 'oom', note: '' }]);
    const measuring = createEvidence().process(10).obs({ rss: 5 }).exit(0).build();
    expect(evaluateFacet(oom, createEvidenceView(measuring), { readByRules: true }).state).toBe('undecided');
    expect(evaluateFacet(oom, createEvidenceView(measuring)).state).toBe('absent');
    const silent = createEvidence().process(10).exit(0).build();
    expect(evaluateFacet(oom, createEvidenceView(silent), { readByRules: true }).state).toBe('absent');
  });

  it('is decided as ever by oracles that a person or a model gave', () => {
    expect(evaluateFacet(hang, createEvidenceView(watching())).state).toBe('absent');
  });
});
