import type { Facet } from '@reenact/domain';

/** A facet before it has its id. */
export interface FacetDraft extends Omit<Facet, 'id'> {
  /** Words that the id is made of. */
  name: string;
  title: boolean;
}

/** Id in the form of the schema: lower case, digits and hyphens, at most 41 characters. */
export function facetId(name: string, taken: ReadonlySet<string>): string {
  const base =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+/, '')
      .slice(0, 36)
      .replace(/-+$/, '') || 'facet';
  let id = base;
  for (let count = 2; taken.has(id); count += 1) id = `${base}-${String(count)}`;
  return id;
}

/** Gives every draft its id; equal names are numbered. */
export function withIds(drafts: readonly FacetDraft[]): Facet[] {
  const taken = new Set<string>();
  return drafts.map((draft) => {
    const id = facetId(draft.name, taken);
    taken.add(id);
    const { statement, span, stance, oracles, shownBy, note } = draft;
    return { id, statement, span, stance, oracles, shownBy, ...(note === undefined ? {} : { note }) };
  });
}
