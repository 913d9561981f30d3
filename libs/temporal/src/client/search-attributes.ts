import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { SEARCH_ATTRIBUTE_TYPES } from '@reenact/domain';

/** Typed keys of what a run shows in lists and filters of the Temporal UI. */
export const SEARCH_ATTRIBUTES = {
  bugKey: defineSearchAttributeKey('BugKey', SearchAttributeType.KEYWORD),
  reproPhase: defineSearchAttributeKey('ReproPhase', SearchAttributeType.KEYWORD),
} as const;

/** Name and server-side type of one attribute. */
export interface SearchAttributeDeclaration {
  name: string;
  type: (typeof SEARCH_ATTRIBUTE_TYPES)[keyof typeof SEARCH_ATTRIBUTE_TYPES];
}

/** Names and types as `temporal operator search-attribute create` takes them. */
export const SEARCH_ATTRIBUTE_DECLARATIONS: readonly SearchAttributeDeclaration[] = Object.entries(SEARCH_ATTRIBUTE_TYPES).map(
  ([name, type]) => ({ name, type }),
);
