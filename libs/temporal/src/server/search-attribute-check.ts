import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTE_DECLARATIONS } from '../client/search-attributes.js';
import type { SearchAttributeDeclaration } from '../client/search-attributes.js';

/** Values of `temporal.api.enums.v1.IndexedValueType` for the types that are used here. */
const INDEXED_VALUE_TYPES: Record<SearchAttributeDeclaration['type'], number> = { Keyword: 2, Int: 3, Double: 4, Bool: 5 };

/** How a namespace's search attributes differ from what the workflows set. */
export interface AttributeCheck {
  /** Declarations `Name=Type` that the namespace lacks. */
  missing: string[];
  /** Names that exist with another type. */
  mistyped: string[];
}

/**
 * Compares a namespace's search attributes with ours. A dev server registers those of its command line only in a new database, so for
 * our own server the missing ones are added here.
 * @throws the SDK's error when the server refuses the call.
 */
export async function checkSearchAttributes(connection: Connection, namespace: string, addMissing: boolean): Promise<AttributeCheck> {
  const check = compareSearchAttributes((await connection.operatorService.listSearchAttributes({ namespace })).customAttributes ?? {});
  if (!addMissing || check.missing.length === 0) return check;
  const absent = SEARCH_ATTRIBUTE_DECLARATIONS.filter(({ name, type }) => check.missing.includes(`${name}=${type}`));
  const searchAttributes = Object.fromEntries(absent.map(({ name, type }) => [name, INDEXED_VALUE_TYPES[type]]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  return { ...check, missing: [] };
}

/** The pure part of {@link checkSearchAttributes}; `existing` maps names to numbers of `IndexedValueType`. */
export function compareSearchAttributes(existing: Readonly<Record<string, number>>): AttributeCheck {
  const missing: string[] = [];
  const mistyped: string[] = [];
  for (const { name, type } of SEARCH_ATTRIBUTE_DECLARATIONS) {
    if (!Object.hasOwn(existing, name)) missing.push(`${name}=${type}`);
    else if (existing[name] !== INDEXED_VALUE_TYPES[type]) mistyped.push(name);
  }
  return { missing, mistyped };
}
