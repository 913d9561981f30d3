import type { Candidate, Claim, Control } from '@reenact/domain';
import { contrastClauses } from './contrast-clauses.js';
import { byCommand, byOption, byVariable, byWorldSize } from './launch-without.js';
import { byKeyword } from './script-without.js';

/**
 * The control that takes the trigger out (verdict.md section 7, counter-check a): the candidate under the condition of
 * which the report itself says that all is well. Rules alone, and only conditions with their value in the report; null
 * where it names none that the candidate has.
 */
export function removeTrigger(
  candidate: Pick<Candidate, 'launch' | 'files'>,
  claim: Pick<Claim, 'triggers'>,
): Extract<Control, { kind: 'trigger' }> | null {
  for (const clause of contrastClauses(claim)) {
    const started =
      byCommand(candidate.launch, clause) ??
      byOption(candidate.launch, clause) ??
      byWorldSize(candidate.launch, clause) ??
      byVariable(candidate.launch, clause);
    if (started) return { kind: 'trigger', label: `the trigger taken out: ${started.label}`, launch: started.launch, files: [] };
    const written = byKeyword(candidate.files, clause);
    if (written)
      return { kind: 'trigger', label: `the trigger taken out: ${written.label}`, launch: candidate.launch, files: written.files };
  }
  return null;
}
