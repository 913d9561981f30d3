import { notShown, shownTrials, controlState, persistence } from '../arm-facts.js';
import { FROM_SUBJECT, has } from '../labels.js';
import { answered, placeOf, type Rule, suspicion } from '../rule.js';

const CODE = 'spoils-state';
const SPOILT = /\bnan\b|\binf\b|float\(\s*["']-?(?:nan|inf)/i;
const FILLING = /^(?:fill_|mul_|add_|copy_|set_|__setattr__|full_like|fill)$/;

/** Not-a-number or infinity is put into the subject's objects, so that the symptom comes by itself. */
export const spoilsState: Rule = {
  code: CODE,
  check(input) {
    const calls = input.script.calls.filter((call) => {
      const method = call.node.childForFieldName('function')?.childForFieldName('attribute')?.text ?? '';
      return FILLING.test(method) && has(call.callee, FROM_SUBJECT) && SPOILT.test(call.node.childForFieldName('arguments')?.text ?? '');
    });
    const assignments = input.script.statements.filter(({ node, source }) => {
      const left = node.childForFieldName('left');
      return (
        left !== null &&
        node.type === 'assignment' &&
        SPOILT.test(node.childForFieldName('right')?.text ?? '') &&
        has(input.script.labelsOf(left, source), FROM_SUBJECT)
      );
    });
    return [...calls, ...assignments].map((site) =>
      suspicion(CODE, 'not-a-number or infinity is put into an object of the subject', {
        ...placeOf(site),
      }),
    );
  },
  confirm(finding, input) {
    if (shownTrials(input, undefined).length === 0) return notShown(finding);
    const persists = persistence(input, undefined);
    if (persists !== null) return answered(finding, 'finding', persists);
    if (controlState(input, undefined) === 'absent')
      return answered(finding, 'refuted', 'the signal is absent in the control arm with the same state');
    return answered(finding, 'suspicion', 'no control says whether this state is what gives the signal');
  },
};
