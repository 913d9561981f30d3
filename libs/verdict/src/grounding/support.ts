import { leverWords } from '@reenact/domain';
import type { Arm, EvidenceRecord, FacetState, Lever, Rate, Rest } from '@reenact/domain';
import { fisherOneSided, toNumber } from '../statistics/fisher.js';
import { missProbability } from '../statistics/misses.js';
import { facetOf } from '../verification/arm-states.js';
import { leavesOf, numbersOf } from './figures.js';
import { type Ledger, type LedgerTrial, recount, recountUnder, trialsOf } from './ledger.js';

/** What a sentence may say because of the records that it rests on. */
export interface Support {
  /** Counts that `k of n` may tell, with the interval of each. */
  counts: Rate[];
  /** How many facets have each state. */
  facetStates: ReadonlyMap<FacetState, number>;
  /** Numbers computed from the trials. */
  numbers: number[];
  /** Words that the evidence was read as, here and now. */
  readings: string[];
  /** The text of the records. */
  texts: string[];
}

const NOTHING: Support = { counts: [], facetStates: new Map(), numbers: [], readings: [], texts: [] };

/** What one rest supports, or, as a text, why there is no such record. */
export function supportOf(rest: Rest, ledger: Ledger): Support | string {
  switch (rest.type) {
    case 'record':
      return recordSupport(rest, ledger);
    case 'trials':
      return trialsSupport(rest, ledger);
    case 'finding':
      return findingSupport(rest.index, ledger);
    case 'environment':
      return { ...NOTHING, texts: [leavesOf(ledger.environment)], counts: rankCounts(ledger) };
    case 'report':
      return reportSupport(rest.span, ledger.reportText);
    case 'claim':
      return claimSupport(rest.facet, ledger);
    case 'attempt':
      return attemptSupport(rest, ledger);
    case 'judgement':
      return judgementSupport(rest.field, ledger);
    case 'run':
      return { ...NOTHING, texts: [leavesOf(ledger.run)], numbers: numbersOf(ledger.run) };
  }
}

function recordSupport({ trial, seq }: Extract<Rest, { type: 'record' }>, ledger: Ledger): Support | string {
  const entry = ledger.trials.get(trial);
  if (entry === undefined) return `there is no trial ${trial}`;
  const record = entry.records.get(seq);
  if (seq >= entry.recordCount) return `trial ${trial} has no record ${seq}`;
  if (record === undefined) return `nothing was read from record ${seq} of trial ${trial}`;
  const readings = entry.judged.facets.flatMap((facet) => facet.grounding.filter((one) => one.seq === seq).map((one) => one.text));
  readings.push(...entry.told.filter(({ grounding }) => grounding.some((one) => one.seq === seq)).map(({ text }) => text));
  const failure = entry.judged.facts?.failure;
  return { ...NOTHING, readings: failure?.seq === seq ? [...readings, failure.signature] : readings, texts: [trial, contentOf(record)] };
}

/** A trial set counts only as a whole: a sentence may not choose which trials of an arm to speak of. */
function trialsSupport({ arm, trials, facet, lever }: Extract<Rest, { type: 'trials' }>, ledger: Ledger): Support | string {
  const there = trialsOf(ledger, arm, lever);
  const named = new Set(trials);
  const missing = there.find(({ judged }) => !named.has(judged.trial));
  if (missing !== undefined) return `the ${arm} trials also have ${missing.judged.trial}`;
  const stranger = trials.find((id) => !there.some(({ judged }) => judged.trial === id));
  if (stranger !== undefined) return `${stranger} is no finished ${arm} trial`;
  if (lever !== undefined) return leverSupport({ arm, lever }, ledger);
  const counted = recount(ledger);
  const rate = facet === undefined ? counted.arms.get(arm) : counted.facets.get(facet);
  if (rate === undefined && facet !== undefined) return `there is no facet ${facet}`;
  const candidate = counted.arms.get('candidate');
  return {
    ...NOTHING,
    counts: rate === undefined ? [] : [rate],
    numbers: [...(rate === undefined ? [] : [rate.shown, rate.total]), ...chances({ arm, rate, candidate, facet }, ledger)],
    readings: readingsOf(arm, ledger, facet),
    texts: [...labelsOf(arm, ledger), ...there.map(environmentText)],
  };
}

/** Counts under a lever, and the words that name it. */
function leverSupport({ arm, lever }: { arm: Arm; lever: Lever | 'none' }, ledger: Ledger): Support {
  const rate = recountUnder(ledger, arm, lever);
  return { ...NOTHING, counts: [rate], readings: lever === 'none' ? [] : [leverWords(lever)] };
}

interface Chance {
  arm: Arm;
  rate: Rate | undefined;
  candidate: Rate | undefined;
  facet: string | undefined;
}

/** p against the candidate arm for a control; for the candidate the chance that so many trials miss at the claimed rate. */
function chances({ arm, rate, candidate, facet }: Chance, ledger: Ledger): number[] {
  if (rate === undefined || candidate === undefined) return [];
  if (arm !== 'candidate') return [toNumber(fisherOneSided(candidate, rate))];
  const absent = trialsOf(ledger, 'candidate').filter(({ judged }) =>
    facet === undefined ? true : facetOf(judged, facet)?.state === 'absent',
  ).length;
  return [ledger.expectedRate, absent, missProbability(ledger.expectedRate, absent)];
}

function readingsOf(arm: Arm, ledger: Ledger, facet: string | undefined): string[] {
  const judged = [...ledger.trials.values()].map((trial) => trial.judged).filter((trial) => trial.arm === arm);
  return judged.flatMap((trial) => [
    ...trial.facets
      .filter(({ id }) => facet === undefined || id === facet)
      .flatMap(({ note, grounding }) => [note ?? '', ...grounding.map(({ text }) => text)]),
    trial.facts?.failure?.signature ?? '',
    trial.infraReason ?? '',
  ]);
}

function labelsOf(arm: Arm, ledger: Ledger): string[] {
  return ledger.labels.filter((one) => one.arm === arm).map(({ label }) => label);
}

function environmentText({ records }: LedgerTrial): string {
  return [...records.values()]
    .filter(({ kind }) => kind === 'environment')
    .map(contentOf)
    .join('\n');
}

/** What a record says; its number, clock and process id would make any small figure look like a part of it. */
function contentOf(record: EvidenceRecord): string {
  return leavesOf({ ...record, seq: null, t: null, pid: null });
}

function findingSupport(index: number, ledger: Ledger): Support | string {
  const finding = ledger.findings[index];
  if (finding === undefined) return `there is no finding ${index}`;
  const script = ledger.scripts.find(({ path }) => path === finding.file);
  if (script !== undefined && finding.line !== undefined && finding.line > script.lines)
    return `${script.path} has no line ${finding.line}`;
  return { ...NOTHING, texts: [leavesOf(finding)] };
}

/** Ranks that ran, of those that the report speaks of. */
function rankCounts(ledger: Ledger): Rate[] {
  const total = ledger.claim?.worldSize ?? null;
  const ranks = trialsOf(ledger, 'candidate').map(({ judged }) => judged.facts?.ranks ?? 0);
  return total === null || ranks.length === 0 ? [] : [{ shown: Math.max(...ranks), total, low: 0, high: 1 }];
}

function reportSupport({ start, end }: { start: number; end: number }, text: string | null): Support | string {
  if (text === null) return 'the report is not at hand';
  if (start >= end || end > text.length) return `the report has no range ${start} to ${end}`;
  return { ...NOTHING, texts: [text.slice(start, end)] };
}

function claimSupport(id: string | null, ledger: Ledger): Support | string {
  if (id === null) return { ...NOTHING, numbers: [ledger.expectedRate], texts: [leavesOf(ledger.claim ?? ledger.facets)] };
  const facet = ledger.facets.find((one) => one.id === id) ?? ledger.claim?.facets.find((one) => one.id === id);
  return facet === undefined ? `there is no facet ${id}` : { ...NOTHING, texts: [leavesOf(facet)] };
}

function attemptSupport({ context, attempt }: Extract<Rest, { type: 'attempt' }>, ledger: Ledger): Support | string {
  const found = ledger.attempts.find((one) => one.context === context && one.attempt === attempt);
  return found === undefined ? `there is no attempt ${context}-${attempt}` : { ...NOTHING, texts: [...found.texts] };
}

function judgementSupport(field: Extract<Rest, { type: 'judgement' }>['field'], { judged }: Ledger): Support {
  if (field === 'grade') return { ...NOTHING, texts: [`grade ${judged.grade ?? 'unknown'}`] };
  if (field === 'depth') return { ...NOTHING, texts: [judged.depth] };
  if (field === 'controls') return { ...NOTHING, texts: judged.controls.map(({ note }) => note) };
  const states = new Map<FacetState, number>();
  for (const { live, state } of judged.facets) if (live) states.set(state, (states.get(state) ?? 0) + 1);
  return { ...NOTHING, facetStates: states };
}
