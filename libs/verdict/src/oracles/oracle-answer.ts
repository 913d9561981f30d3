import type { FacetState } from '@reenact/domain';

/** What an answer rests on: the sequence number of a record and what was read there. */
export interface TrialGrounding {
  seq: number;
  text: string;
}

/** The answer of one oracle, or of one facet, about one trial. */
export interface OracleAnswer {
  state: FacetState;
  grounding: TrialGrounding[];
  note?: string;
  /** What makes a shown signal count with a control only, in words: the script may have brought it about by its own input. */
  needsControl?: string;
}

/** Facts about the trial that an oracle may need beside its evidence. */
export interface EvaluationOptions {
  /** The subject is a library: an exception below it may lack a subject frame. */
  subjectIsLibrary?: boolean;
  /** The sentinel of a tripwire trial: what it ends is no symptom. */
  sentinel?: string | null;
  /** The facets were read from the report by rules, so no rule can bind a number of the script to them. */
  readByRules?: boolean;
}

const TEXT_LIMIT = 300;

/** Grounding of one record, its text cut to 300 characters. */
export function groundedIn(seq: number, text: string): TrialGrounding {
  return { seq, text: text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT - 1)}…` : text };
}

/** An answer without a note where none is given. */
export function answer(state: FacetState, grounding: TrialGrounding[], note?: string): OracleAnswer {
  return note === undefined ? { state, grounding } : { state, grounding, note };
}

/** The answer for a symptom that is known by name, and whose check nothing binds to evidence. */
export function unboundAnswer(oracle: { kind: string; note: string }): OracleAnswer {
  return answer('undecided', [], `nothing binds the check of kind ${oracle.kind} to evidence${oracle.note ? `: ${oracle.note}` : ''}`);
}
