import type { Clause, ControlResult, FacetResult, Finding, Grade, Rate, Rest, VerdictState } from '@reenact/domain';
import { missProbability } from '../statistics/misses.js';

/** What the one sentence of a verdict is made from. */
export interface SentenceParts {
  verdict: VerdictState;
  rate: Rate;
  grade: Grade | null;
  depth: string;
  facets: FacetResult[];
  controls: ControlResult[];
  findings: Finding[];
  reason: string | null;
  /** Ids of the finished trials of the candidate arm. */
  candidates: string[];
  /** Rate in (0, 1] that the series reckoned with. */
  expectedRate: number;
  /** A word of detail: a finding, the other failure, the limit. */
  detail?: string;
}

const MAX_FACET_RESTS = 12;

function percent(share: number): string {
  return `${Math.round(share * 100)}`;
}

function intervalWords(rate: Rate): string {
  return `95 % interval ${percent(rate.low)}–${percent(rate.high)} %`;
}

function candidateRest(parts: SentenceParts, facet?: string): Rest {
  return { type: 'trials', arm: 'candidate', trials: parts.candidates, ...(facet === undefined ? {} : { facet }) };
}

function rateClause(lead: string, parts: SentenceParts): Clause {
  const { rate } = parts;
  const text = `${lead}: ${rate.shown} of ${rate.total} fresh trials show it (${intervalWords(rate)})`;
  return { text, joint: '', rests: [candidateRest(parts)] };
}

function controlClauses(controls: readonly ControlResult[]): Clause[] {
  const ran = controls.filter((control) => control.rate.total > 0 && control.arm !== 'tripwire');
  if (ran.length === 0) return [{ text: 'no control could be run', joint: ', ', rests: [{ type: 'judgement', field: 'controls' }] }];
  return ran.map(({ arm, rate, label, state, trials }) => ({
    text: `${rate.shown} of ${rate.total} with ${label}${state === 'undecided' ? ' (undecided)' : ''}`,
    joint: ', ',
    rests: [{ type: 'trials', arm, trials }],
  }));
}

function facetCounts(facets: readonly FacetResult[]): string {
  const live = facets.filter((facet) => facet.live);
  const count = (state: FacetResult['state']) => live.filter((facet) => facet.state === state).length;
  const words = (['shown', 'absent', 'collision', 'undecided'] as const)
    .filter((state) => count(state) > 0)
    .map((state) => `${count(state)} ${state}`);
  return words.join(', ');
}

function ending({ grade, depth }: SentenceParts): Clause {
  return {
    text: `grade ${grade ?? 'unknown'}, depth ${depth}`,
    joint: '; ',
    rests: [
      { type: 'judgement', field: 'grade' },
      { type: 'judgement', field: 'depth' },
    ],
  };
}

/** Rates of reports are round; those that were measured are not. */
export function roundedRate(rate: number): string {
  return String(Number(rate.toPrecision(3)));
}

/** How likely so many trials would all miss a fault that comes as often as the report says; nothing where no chance is involved. */
function missClauses(parts: SentenceParts): Clause[] {
  const { expectedRate, rate } = parts;
  if (expectedRate === 1 || rate.total === 0) return [];
  const miss = missProbability(expectedRate, rate.total).toPrecision(2);
  const text = `a fault that comes at a rate of ${roundedRate(expectedRate)} would be missed with a probability of ${miss}`;
  return [{ text, joint: '; ', rests: [candidateRest(parts), { type: 'claim', facet: null }] }];
}

/** Where the report speaks of no chance, a miss has the probability 0, and that is said in words. */
function certainClauses({ expectedRate }: SentenceParts): Clause[] {
  if (expectedRate !== 1) return [];
  const text = 'the report speaks of no chance, and a fault that comes every time is not missed';
  return [{ text, joint: '; ', rests: [{ type: 'claim', facet: null }] }];
}

/** A miss in counts, and how likely it is one. */
function missed(lead: string, parts: SentenceParts): Clause[] {
  const { rate } = parts;
  const text = `${lead}, and ${rate.shown} of ${rate.total} fresh trials show a claimed symptom (${intervalWords(rate)})`;
  return [{ text, joint: '', rests: [candidateRest(parts)] }, ...missClauses(parts)];
}

/** Everything that a word of detail can have been read from. */
function detailRests(parts: SentenceParts): Rest[] {
  const finding = parts.findings.findIndex((one) => one.level === 'finding');
  const facets = parts.facets.filter((facet) => facet.live).slice(0, MAX_FACET_RESTS);
  return [
    candidateRest(parts),
    ...facets.map((facet) => candidateRest(parts, facet.id)),
    ...parts.controls.filter(({ trials }) => trials.length > 0).map(({ arm, trials }): Rest => ({ type: 'trials', arm, trials })),
    ...(finding < 0 ? [] : [{ type: 'finding', index: finding } as const]),
    { type: 'claim', facet: null },
    { type: 'environment' },
  ];
}

function withDetail(lead: string, parts: SentenceParts, detail = parts.detail): Clause[] {
  const rests = detailRests(parts);
  const first: Clause = { text: lead, joint: '', rests: [candidateRest(parts)] };
  return detail ? [first, { text: detail, joint: ': ', rests }] : [first];
}

/** The answer as clauses, each with what it rests on; joined, they are {@link verdictSentence}. */
export function verdictClauses(parts: SentenceParts): Clause[] {
  switch (parts.verdict) {
    case 'reproduced':
      return [rateClause('Reproduced', parts), ...controlClauses(parts.controls), ending(parts)];
    case 'reproduced_uncontrolled':
      return [rateClause('Reproduced without a control', parts), ...controlClauses(parts.controls), ending(parts)];
    case 'reproduced_unstable':
      return [rateClause('Reproduced, but unstable', parts), ...controlClauses(parts.controls), ending(parts)];
    case 'partial': {
      const text = `Partly reproduced: of the claimed symptoms ${facetCounts(parts.facets)}`;
      return [{ text, joint: '', rests: [{ type: 'judgement', field: 'facets' }, candidateRest(parts)] }, ending(parts)];
    }
    case 'different_failure':
      return withDetail('Another failure than the reported one', parts);
    case 'not_shown':
      return missed('Not shown: the script ran', parts);
    case 'not_reproduced':
      return [...missed('Not reproduced: independent attempts reached the reported phase', parts), ...certainClauses(parts)];
    case 'refused':
      return withDetail('Refused: the script does not prove what it shows', parts);
    case 'model_of_bug':
      return withDetail("A model of the bug: the mechanism is restated, the project's own code was not loaded", parts);
    case 'inconclusive':
      return withDetail('Inconclusive', parts, parts.detail ?? parts.reason ?? undefined);
    case 'infra_error':
      return withDetail('No result: the platform failed', parts);
    case 'cancelled':
      return withDetail('Cancelled before a verdict', parts, '');
    case 'fixed':
      return withDetail('Fixed: shown on the reported version, absent on the newer one', parts);
    case 'needs_info':
      return withDetail('More information is needed', parts);
    case 'unsupported':
      return withDetail(`Not supported here: ${parts.reason ?? 'unknown'}`, parts);
    case 'not_a_bug':
      return withDetail("Not a bug, by a person's decision", parts);
  }
}

/** The answer in one sentence, the same everywhere. */
export function verdictSentence(clauses: readonly Pick<Clause, 'text' | 'joint'>[]): string {
  return `${clauses.map(({ text, joint }, index) => (index === 0 ? text : `${joint}${text}`)).join('')}.`;
}
