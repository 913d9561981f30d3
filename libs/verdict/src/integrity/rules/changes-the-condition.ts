import { notShown, shownTrials } from '../arm-facts.js';
import { FROM_SUBJECT, has, IMITATION } from '../labels.js';
import { answered, placeOf, type Rule, suspicion } from '../rule.js';

const CODE = 'changes-the-condition';

/**
 * The subject gets an object that gives answers of its own to its questions: a set that holds everything, a length that
 * raises. What the subject makes of them is no fault of it, and a fix that asks otherwise takes the signal away as well.
 */
export const changesTheCondition: Rule = {
  code: CODE,
  check(input) {
    // A report that is about such a class brings it along, or names what it answers.
    if (input.candidate.origin.startsWith('report') || input.claim.symbols.some((symbol) => /__\w+__/.test(symbol))) return [];
    return input.script.calls
      .filter((call) => has(call.callee, FROM_SUBJECT) && has(call.arguments | call.callee, IMITATION))
      .map((call) =>
        suspicion(CODE, 'the subject gets an object whose class answers in the place of real data', {
          ...placeOf(call),
        }),
      );
  },
  confirm(finding, input) {
    if (shownTrials(input, undefined).length === 0) return notShown(finding);
    return answered(finding, 'finding', 'the signal comes from input that no data can be');
  },
};
