import type { Arm, Facet, Oracle, ProbePart } from '@reenact/domain';

/** What explains a symptom of a kind, looked at in a trial of its own. */
const EXPLAINED_BY: Partial<Record<Oracle['kind'], readonly ProbePart[]>> = {
  exception: ['locals'],
  nonfinite: ['numeric', 'outputs'],
  relation: ['outputs'],
  printed: ['outputs'],
  shape: ['outputs'],
  hang: ['collectives'],
  oom: ['locals', 'allocator'],
  memory_peak: ['allocator'],
  trend: ['allocator'],
  desync: ['collectives', 'parameters'],
};

function unique(parts: readonly ProbePart[]): ProbePart[] {
  return [...new Set(parts)].toSorted();
}

function oraclesOf(facets: readonly Pick<Facet, 'oracles'>[]): Oracle[] {
  return facets.flatMap(({ oracles }) => oracles);
}

/** Parts without which an oracle has nothing to read, so that every trial needs them. */
function neededParts(facets: readonly Pick<Facet, 'oracles'>[]): ProbePart[] {
  return oraclesOf(facets).flatMap((oracle) => (oracle.kind === 'desync' && oracle.of !== undefined ? [oracle.of] : []));
}

/** Parts that may explain the symptoms of these facets; empty where none does. */
export function explainingParts(facets: readonly Pick<Facet, 'oracles'>[]): ProbePart[] {
  return unique(oraclesOf(facets).flatMap(({ kind }) => EXPLAINED_BY[kind] ?? []));
}

/**
 * Parts of the probe that are switched on in a trial of this arm. Part of what runs, so they belong in the trial's key. Pure;
 * ordinary trials get only what an oracle reads, a diagnosis all that may explain.
 */
export function probePartsOf(facets: readonly Pick<Facet, 'oracles'>[], arm: Arm): ProbePart[] {
  const needed = neededParts(facets);
  return arm === 'diagnosis' ? unique([...needed, ...explainingParts(facets)]) : unique(needed);
}
