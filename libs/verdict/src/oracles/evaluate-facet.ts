import type { Facet, Oracle } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { evaluateOracle } from './evaluate-oracle.js';
import { answer, type EvaluationOptions, type OracleAnswer } from './oracle-answer.js';

/**
 * Evaluates the conjunction of a facet's oracles over one trial. All shown: shown. A member that met another failure:
 * collision. A member that is absent: absent. Else undecided, as is a facet without any oracle.
 * @throws AppError `oracle-invalid` where a pattern cannot be used
 */
export function evaluateFacet(facet: Facet, view: EvidenceView, options: EvaluationOptions = {}): OracleAnswer {
  if (facet.oracles.length === 0) return answer('undecided', [], facet.note ?? 'no check is bound to this symptom');
  const answers = facet.oracles.map((oracle) => evaluateOracle(oracle, view, options));
  const grounding = answers.flatMap((one) => one.grounding);
  if (answers.every((one) => one.state === 'shown')) {
    const shown = answer('shown', grounding, joinedNotes(answers));
    const needsControl = answers.find((one) => one.needsControl !== undefined)?.needsControl;
    return needsControl === undefined ? shown : { ...shown, needsControl };
  }
  const deciding = (['collision', 'absent', 'undecided'] as const)
    .map((state) => answers.filter((one) => one.state === state))
    .find((found) => found.length > 0);
  const state = deciding?.[0]?.state ?? 'undecided';
  const unbound = state === 'absent' && options.readByRules === true ? unboundMeasurement(facet, view) : null;
  return unbound === null ? answer(state, grounding, joinedNotes(deciding ?? [])) : answer('undecided', grounding, unbound);
}

/** Kinds whose signal a script can take out of the harness's sight: it watches a child, ends it, and reports what it saw. */
const WATCHABLE: ReadonlySet<string> = new Set(['hang', 'exit']);
/** Kinds whose signal is too large to wait for: a script measures it at a small scale, in its own process. */
const SCALABLE: ReadonlySet<string> = new Set(['oom']);

/**
 * A script that runs the symptom in a child and measures it is no miss: without a model its numbers cannot be bound to the
 * facet, and that is what the answer has to say.
 */
function unboundMeasurement(facet: Facet, view: EvidenceView): string | null {
  const names = [...new Set(view.observations.flatMap((record) => Object.keys(record.values)))];
  const watches = [...view.parents.values()].some((parent) => view.parents.has(parent));
  const isMeasurable = (oracle: Oracle): boolean => (watches && WATCHABLE.has(oracle.kind)) || SCALABLE.has(oracle.kind);
  if (names.length === 0 || !facet.oracles.every(isMeasurable)) return null;
  return `the script measures ${names.slice(0, 5).join(', ')}${watches ? ' on a process of its own' : ''}, and no rule can bind that to the symptom`;
}

function joinedNotes(answers: OracleAnswer[]): string | undefined {
  const notes = [...new Set(answers.map((one) => one.note).filter((note): note is string => note !== undefined))];
  return notes.length > 0 ? notes.join('; ') : undefined;
}
