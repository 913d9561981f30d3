import type { Finding } from '@reenact/domain';
import { notShown, shownTrials, trialsOf } from '../arm-facts.js';
import { EDITED, has } from '../labels.js';
import { answered, placeOf, type Rule, suspicion } from '../rule.js';
import { confirmPatch } from './patches-the-subject.js';

const CODE = 'runs-a-copy';

/** Code that was loaded as the subject's differs from the snapshot: an edited copy, or an edit that was put back. */
export const runsACopy: Rule = {
  code: CODE,
  check(input) {
    return input.script.calls
      .filter((call) => (call.kind === 'launches' || call.name === 'builtins.compile') && has(call.arguments | call.callee, EDITED))
      .map((call) =>
        suspicion(CODE, "the subject's text is run after the script has changed it", {
          ...placeOf(call),
          detail: { edited: true },
        }),
      );
  },
  confirm(finding, input) {
    if (finding.detail?.['edited'] !== true) return confirmPatch(finding, input);
    if (shownTrials(input, undefined).length === 0) return notShown(finding);
    // A control changes the text as well, and then the edit may miss: it cannot refute.
    return answered(finding, 'finding', 'what ran is not the code of the snapshot');
  },
  observe(input) {
    const found = new Map<string, Finding>();
    for (const { judged, records } of trialsOf(input, 'candidate')) {
      const loaded = records.flatMap((record) => (record.kind === 'modules' ? record.loaded : []));
      for (const { file, sha256 } of loaded) {
        const expected = input.subject.hashes.get(file);
        if (expected === undefined || expected === sha256) continue;
        found.set(file, {
          rule: CODE,
          level: 'finding',
          message: `${file} was loaded with another text than the snapshot's`,
          evidence: `trial ${judged.trial}`,
        });
      }
    }
    return [...found.values()];
  },
};
