import type { Verdict } from './schemas/index.js';

/** What each depth means (verdict.md section 5): how far a run came, told on every answer and above all on a miss. */
export const DEPTH_WORDS: Record<Verdict['depth'], string> = {
  L0: 'nothing ran',
  L1: 'a trial ran, and did not come as far as the reported phase',
  L2: "the subject's code ran to where the symptom could be decided, and it did not come",
  L3: 'a failure of the reported type came, and not the reported one',
  L4: 'the reported symptom was seen, though not as a whole or not often enough for a rate',
  L5: 'the whole claim was shown, with a rate and its interval',
  L6: 'it fails here and passes with the fix or the good version',
  L7: 'it was made smaller and traced to a change',
};
