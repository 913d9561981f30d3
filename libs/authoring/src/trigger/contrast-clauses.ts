import type { Claim } from '@reenact/domain';
import { clausesOf, clauseStance } from '@reenact/report';

const MOST_CLAUSES = 30;

/** Clauses of the claim's conditions that say where all is well, in the order of the report. */
export function contrastClauses(claim: Pick<Claim, 'triggers'>): string[] {
  return claim.triggers
    .flatMap(({ text }) => clausesOf(text))
    .filter((clause) => clauseStance(clause) === 'contrast')
    .slice(0, MOST_CLAUSES);
}
