import type { EvidenceOf, EvidenceRecord, Facet, Trial } from '@reenact/domain';
import { createEvidenceView, type EvidenceView, isHelperProcess } from '../evidence/evidence-view.js';
import { failureOf, lastExits } from '../evidence/failure.js';
import { mentionsSentinel } from '../evidence/sentinel.js';
import { evaluateFacet } from '../oracles/evaluate-facet.js';
import type { JudgedTrial, TrialFacts } from './judged-trial.js';

const NAMES_LIMIT = 500;

/** Ranks that records name, first-level processes side by side, or interpreters without children, whichever is most. */
function countRanks(view: EvidenceView): number {
  const ranks = new Set(view.records.map((record) => record.rank).filter((rank) => rank !== undefined));
  const parents = new Set(view.parents.values());
  const leaves = view.records.filter(
    (record) => record.kind === 'process' && record.pid !== undefined && !parents.has(record.pid) && !isHelperProcess(record),
  );
  return Math.max(1, ranks.size, view.exits.length > 0 ? lastExits(view).length : 0, new Set(leaves.map((record) => record.pid)).size);
}

function readFacts(view: EvidenceView): TrialFacts {
  const environment = view.records.find((record): record is EvidenceOf<'environment'> => record.kind === 'environment');
  const begin = view.records.find((record): record is EvidenceOf<'begin'> => record.kind === 'begin');
  return {
    exitCodes: view.exits.length > 0 ? lastExits(view).map((exit) => exit.code) : [],
    cutBy: view.cutBy,
    failure: failureOf(view),
    observationNames: [...new Set(view.observations.flatMap((record) => Object.keys(record.values)))].slice(0, NAMES_LIMIT),
    subjectFiles: [...view.subjectFiles].toSorted().slice(0, NAMES_LIMIT),
    ranks: countRanks(view),
    subjectInException: view.exceptions.some((exception) => exception.frames.some((frame) => frame.place === 'subject')),
    probeAlive: view.probeAlive,
    python: environment?.python ?? null,
    sandbox: begin?.sandbox ?? null,
  };
}

/**
 * Reads one trial's evidence into what planner and judge see of it. `records` is not looked at where the trial did not
 * finish. @throws AppError `oracle-invalid`
 */
export function judgeTrial(
  trial: Pick<Trial, 'id' | 'arm' | 'index' | 'outcome' | 'infraReason' | 'sentinel' | 'lever' | 'seconds'>,
  records: readonly EvidenceRecord[],
  facets: readonly Facet[],
  options: { subjectIsLibrary?: boolean; readByRules?: boolean } = {},
): JudgedTrial {
  const { id, arm, index, outcome, infraReason, lever, seconds } = trial;
  const common = { trial: id, arm, index, outcome, infraReason, seconds, ...(lever === undefined ? {} : { lever }) };
  if (trial.outcome !== 'finished') return { ...common, sentinelSeen: null, facets: [], facts: null };
  const view = createEvidenceView(records);
  const sentinel = trial.sentinel;
  return {
    ...common,
    sentinelSeen: sentinel === null ? null : records.some((record) => mentionsSentinel(record, sentinel)),
    facets: facets.map((facet) => ({ id: facet.id, ...evaluateFacet(facet, view, { ...options, sentinel }) })),
    facts: readFacts(view),
  };
}
