/** Search attributes of a run and their Temporal types (temporal.md section 3.4); values hold no free text and no secret. */
export const SEARCH_ATTRIBUTES = {
  BugKey: 'Keyword',
  ReproPhase: 'Keyword',
  ReproOutcome: 'Keyword',
  Framework: 'Keyword',
  Repository: 'Keyword',
  ResourceClass: 'Keyword',
  ContextIndex: 'Int',
  AttemptCount: 'Int',
  CostUsd: 'Double',
  NeedsHuman: 'Bool',
} as const;
