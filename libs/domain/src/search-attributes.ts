/** Search attributes of a run and their Temporal types (temporal.md section 3.4); values hold no free text and no secret. */
export const SEARCH_ATTRIBUTE_TYPES = {
  BugKey: 'Keyword',
  Repository: 'Keyword',
  Framework: 'Keyword',
  ReproPhase: 'Keyword',
  ReproOutcome: 'Keyword',
  ResourceClass: 'Keyword',
  ContextIndex: 'Int',
  AttemptCount: 'Int',
  CostUsd: 'Double',
  NeedsHuman: 'Bool',
} as const;
