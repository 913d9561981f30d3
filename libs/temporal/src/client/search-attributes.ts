import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** Typed keys of what a run shows in lists and filters of the Temporal UI (temporal.md section 3.4). Ids and words only: values are never encrypted. */
export const SEARCH_ATTRIBUTES = {
  bugKey: defineSearchAttributeKey('BugKey', SearchAttributeType.KEYWORD),
  repository: defineSearchAttributeKey('Repository', SearchAttributeType.KEYWORD),
  framework: defineSearchAttributeKey('Framework', SearchAttributeType.KEYWORD),
  reproPhase: defineSearchAttributeKey('ReproPhase', SearchAttributeType.KEYWORD),
  reproOutcome: defineSearchAttributeKey('ReproOutcome', SearchAttributeType.KEYWORD),
  resourceClass: defineSearchAttributeKey('ResourceClass', SearchAttributeType.KEYWORD),
  contextIndex: defineSearchAttributeKey('ContextIndex', SearchAttributeType.INT),
  attemptCount: defineSearchAttributeKey('AttemptCount', SearchAttributeType.INT),
  costUsd: defineSearchAttributeKey('CostUsd', SearchAttributeType.DOUBLE),
  needsHuman: defineSearchAttributeKey('NeedsHuman', SearchAttributeType.BOOL),
} as const;

/** How the server's command line and its operator API call the types that are used here. */
const TYPE_NAMES = { KEYWORD: 'Keyword', INT: 'Int', DOUBLE: 'Double', BOOL: 'Bool' } as const;

/** Name and server-side type of one attribute. */
export interface SearchAttributeDeclaration {
  name: string;
  type: (typeof TYPE_NAMES)[keyof typeof TYPE_NAMES];
}

/** Names and types as `temporal operator search-attribute create` takes them. */
export const SEARCH_ATTRIBUTE_DECLARATIONS: readonly SearchAttributeDeclaration[] = Object.values(SEARCH_ATTRIBUTES).map(
  ({ name, type }) => ({
    name,
    type: TYPE_NAMES[type],
  }),
);
