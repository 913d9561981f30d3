import type { Finding } from '@reenact/domain';
import { trialsOf } from '../arm-facts.js';
import type { Rule } from '../rule.js';
import { confirmPatch } from './patches-the-subject.js';

const CODE = 'runs-a-copy';

/** Code that was loaded as the subject's differs from the snapshot: an edited copy, or an edit that was put back. */
export const runsACopy: Rule = {
  code: CODE,
  confirm: confirmPatch,
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
