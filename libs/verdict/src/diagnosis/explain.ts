import type { EvidenceRecord, Explanation, Facet, Oracle } from '@reenact/domain';
import { allocatorSeries } from './allocator-series.js';
import { failingLocals } from './failing-locals.js';
import { firstNonFinite } from './first-nonfinite.js';
import { lastCollectives } from './last-collectives.js';
import { partingCollectives, partingParameters } from './parting-ranks.js';
import type { TrialExplanation } from './trial-explanation.js';

type Explainer = (records: readonly EvidenceRecord[]) => TrialExplanation | null;

/** What is told beside a symptom of a kind. */
const EXPLAINERS: Partial<Record<Oracle['kind'], readonly Explainer[]>> = {
  exception: [failingLocals],
  nonfinite: [firstNonFinite],
  hang: [partingCollectives, lastCollectives],
  oom: [failingLocals, allocatorSeries],
  memory_peak: [allocatorSeries],
  trend: [allocatorSeries],
  desync: [partingCollectives, partingParameters],
};

/** A diagnostic trial and its evidence. */
export interface DiagnosticTrial {
  trial: string;
  records: readonly EvidenceRecord[];
}

/** What diagnostic trials tell about the facets of a claim. Pure; an explanation proves nothing and changes no verdict. */
export function explain(facets: readonly Facet[], trials: readonly DiagnosticTrial[]): Explanation[] {
  return facets.flatMap((facet) => {
    const explainers = new Set(facet.oracles.flatMap(({ kind }) => EXPLAINERS[kind] ?? []));
    return [...explainers].flatMap((explainer) => {
      for (const { trial, records } of trials) {
        const found = explainer(records);
        if (found !== null)
          return [{ facet: facet.id, text: found.text, grounding: found.grounding.map((ground) => ({ trial, ...ground })) }];
      }
      return [];
    });
  });
}
