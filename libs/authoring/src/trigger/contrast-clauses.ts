import type { Claim } from '@reenact/domain';
import { clausesOf, clauseStance } from '@reenact/report';

const MOST_CLAUSES = 30;

/** Clauses of a sentence that say where all is well, as the first of "`a` is fine, `b` fails". */
export function contrastsIn(sentence: string): string[] {
  return clausesOf(sentence).filter((clause) => clauseStance(clause) === 'contrast');
}

/** Such clauses of all conditions that the claim names, in the order of the report. */
export function contrastClauses(claim: Pick<Claim, 'triggers'>): string[] {
  return claim.triggers.flatMap(({ text }) => contrastsIn(text)).slice(0, MOST_CLAUSES);
}
