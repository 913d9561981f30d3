import type { EvidenceRecord, Explanation, Facet, Oracle } from '@reenact/domain';
import { AGAIN, CANDIDATE, CONTROL } from './diagnosis-trials.js';
import { allocatorSeries } from './allocator-series.js';
import { failingLocals } from './failing-locals.js';
import { firstDivergence } from './first-divergence.js';
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

/** A diagnostic trial and its evidence; `index` says whose it is (`diagnosisTrials`). */
export interface DiagnosticTrial {
  trial: string;
  index: number;
  records: readonly EvidenceRecord[];
}

const COMPARED_KINDS: ReadonlySet<Oracle['kind']> = new Set(['nonfinite', 'relation', 'printed', 'shape']);

function compare(facet: Facet, trials: readonly DiagnosticTrial[]): Explanation[] {
  const [candidate, again, control] = [CANDIDATE, AGAIN, CONTROL].map((index) => trials.find((one) => one.index === index));
  if (!candidate || !again || !control || !facet.oracles.some(({ kind }) => COMPARED_KINDS.has(kind))) return [];
  const found = firstDivergence({ candidate: candidate.records, again: again.records, control: control.records });
  if (found === null) return [];
  const grounding = [
    ...found.candidate.map((ground) => ({ trial: candidate.trial, ...ground })),
    ...found.control.map((ground) => ({ trial: control.trial, ...ground })),
  ];
  return [{ facet: facet.id, text: found.text, grounding }];
}

/** What diagnostic trials tell about the facets of a claim. Pure; an explanation proves nothing and changes no verdict. */
export function explain(facets: readonly Facet[], trials: readonly DiagnosticTrial[]): Explanation[] {
  const own = trials.find(({ index }) => index === CANDIDATE);
  if (own === undefined) return [];
  return facets.flatMap((facet) => {
    const explainers = new Set(facet.oracles.flatMap(({ kind }) => EXPLAINERS[kind] ?? []));
    const told = [...explainers].flatMap((explainer) => explainer(own.records) ?? []);
    const explanations = told.map(({ text, grounding }) => ({
      facet: facet.id,
      text,
      grounding: grounding.map((ground) => ({ trial: own.trial, ...ground })),
    }));
    return [...explanations, ...compare(facet, trials)];
  });
}
