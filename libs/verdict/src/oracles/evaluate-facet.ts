import type { Facet } from '@reenact/domain';
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
    return answers.some((one) => one.partOfStack) ? { ...shown, partOfStack: true } : shown;
  }
  const deciding = (['collision', 'absent', 'undecided'] as const)
    .map((state) => answers.filter((one) => one.state === state))
    .find((found) => found.length > 0);
  const state = deciding?.[0]?.state ?? 'undecided';
  return answer(state, grounding, joinedNotes(deciding ?? []));
}

function joinedNotes(answers: OracleAnswer[]): string | undefined {
  const notes = [...new Set(answers.map((one) => one.note).filter((note): note is string => note !== undefined))];
  return notes.length > 0 ? notes.join('; ') : undefined;
}
