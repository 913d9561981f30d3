import type { Arm, Claim, EvidenceRecord, Explanation, Facet, Finding, Grade, Lever, Rate, Verdict } from '@reenact/domain';
import { isUnder } from '../levers/levers.js';
import { rateOf } from '../statistics/intervals.js';
import { facetOf, showsAll, showsAny } from '../verification/arm-states.js';
import type { JudgedTrial } from '../verification/judged-trial.js';
import { isCheckable, liveFacets } from '../verification/live-facets.js';

/** A trial as it was read again when the result was published. */
export interface LedgerTrial {
  judged: JudgedTrial;
  /** Records of the whole stream, so that a number beyond it is told from one that was not copied. */
  recordCount: number;
  /** The records that the result names. */
  records: ReadonlyMap<number, EvidenceRecord>;
  /** What a closer look at the trial tells. */
  told: readonly Explanation[];
}

/**
 * Keeps of a trial's evidence what sentences may name: how it began and ended, and every record that a symptom was read from.
 * @param told what a closer look at this trial tells, read anew
 */
export function ledgerTrial(judged: JudgedTrial, records: readonly EvidenceRecord[], told: readonly Explanation[] = []): LedgerTrial {
  const named = new Set([
    ...judged.facets.flatMap(({ grounding }) => grounding.map(({ seq }) => seq)),
    ...told.flatMap(({ grounding }) => grounding.map(({ seq }) => seq)),
  ]);
  if (judged.facts?.failure) named.add(judged.facts.failure.seq);
  const kept = records.filter(({ seq, kind }) => named.has(seq) || kind === 'begin' || kind === 'environment' || kind === 'exit');
  return { judged, recordCount: records.length, records: new Map(kept.map((record) => [record.seq, record])), told };
}

/** Everything that sentences of a result may rest on, read anew from what is stored: never from the sentences themselves. */
export interface Ledger {
  /** All trials of the attempt that decides, by id. */
  trials: ReadonlyMap<string, LedgerTrial>;
  /** The bundle's facets with their oracles. */
  facets: readonly Facet[];
  expectedRate: number;
  /** What each arm changes, in the words of whoever gave it. */
  labels: readonly { arm: Arm; label: string }[];
  findings: readonly Finding[];
  /** Script files of the bundle and how many lines they have. */
  scripts: readonly { path: string; lines: number }[];
  /** `environment.json` of the bundle, or the run's environment. */
  environment: unknown;
  claim: Claim | null;
  reportText: string | null;
  attempts: readonly { context: number; attempt: number; texts: readonly string[] }[];
  judged: Pick<Verdict, 'grade' | 'depth' | 'facets' | 'controls' | 'seriesLever'> & { grade: Grade | null };
  /** The run's own record. */
  run: unknown;
}

/** Counts of one arm and of each facet in the candidate arm, made anew from the trials. */
export interface Recount {
  arms: ReadonlyMap<Arm, Rate>;
  facets: ReadonlyMap<string, Rate>;
}

/** Finished trials of an arm under a lever, or under none; by default of the series that the verdict is about. */
export function trialsOf(ledger: Ledger, arm: Arm, lever: Lever | 'none' = ledger.judged.seriesLever ?? 'none'): LedgerTrial[] {
  const finished = [...ledger.trials.values()].filter(({ judged }) => judged.arm === arm && judged.outcome === 'finished');
  return finished.filter(({ judged }) => (lever === 'none' ? judged.lever === undefined : isUnder(judged, lever)));
}

/** Counts the trials of an arm under one lever again: how many show the whole claim. */
export function recountUnder(ledger: Ledger, arm: Arm, lever: Lever | 'none'): Rate {
  const checkable = liveFacets(ledger.facets, []).filter(isCheckable);
  return rateIn(
    trialsOf(ledger, arm, lever).map(({ judged }) => judged),
    checkable,
  );
}

/** Counts every arm again as the judge does: the candidate over the whole claim, controls over the part of it that was shown. */
export function recount(ledger: Ledger): Recount {
  const checkable = liveFacets(ledger.facets, []).filter(isCheckable);
  const candidates = trialsOf(ledger, 'candidate').map(({ judged }) => judged);
  const whole = candidates.some((trial) => showsAll(trial, checkable));
  const part = whole ? checkable : checkable.filter((facet) => candidates.some((trial) => showsAny(trial, [facet])));
  const arms = new Map<Arm, Rate>([['candidate', rateIn(candidates, checkable)]]);
  for (const arm of new Set([...ledger.trials.values()].map(({ judged }) => judged.arm))) {
    if (arm !== 'candidate') {
      const trials = trialsOf(ledger, arm).map(({ judged }) => judged);
      arms.set(arm, rateIn(trials, part));
    }
  }
  return { arms, facets: new Map(ledger.facets.map((facet) => [facet.id, facetRate(candidates, facet.id)])) };
}

function rateIn(trials: readonly JudgedTrial[], facets: readonly Facet[]): Rate {
  return rateOf(trials.filter((trial) => showsAll(trial, facets)).length, trials.length);
}

function facetRate(trials: readonly JudgedTrial[], id: string): Rate {
  const seen = trials.filter((trial) => facetOf(trial, id) !== undefined);
  return rateOf(seen.filter((trial) => facetOf(trial, id)?.state === 'shown').length, seen.length);
}
