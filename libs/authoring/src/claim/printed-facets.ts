import type { Oracle, OracleOf, Report } from '@reenact/domain';
import type { FacetDraft } from './facet-id.js';
import type { LiveClause } from './live-clauses.js';
import type { Metric } from './metric-words.js';
import { metricIn, printedPattern } from './metric-words.js';

type Printed = OracleOf<'printed'>;

const NUMBER = String.raw`([-+−]?\d{1,9}(?:\.\d{1,12})?(?:e[-+]?\d{1,3})?)(\s?(?:%|per ?cent))?(?![\w])`;
const ABOVE = new RegExp(
  String.raw`\b(?:above|over|greater than|more than|larger than|bigger than|higher than|exceeds?|exceeding|beyond|surpass\w{0,3})(?: \w+){0,1}? ${NUMBER}|[>≥] ?${NUMBER}`,
  'i',
);
const BELOW = new RegExp(
  String.raw`\b(?:below|under|less than|lower than|smaller than|beneath)(?: \w+){0,1}? ${NUMBER}|[<≤] ?${NUMBER}`,
  'i',
);
const NEGATIVE = /\bnegative\b|\b(?:below|less than|under) zero\b/i;
const PLATEAU = new RegExp(
  String.raw`\b(?:(?:is|was) still|stays?|stayed|remains?|remained|(?:is |gets |got |was )?stuck|sits?|sat|plateaus?|hovers?|hovered|stagnates?|freezes|frozen|is constant(?:ly)?|constant(?:ly)?|(?:does|did)(?:n't| not) (?:move|change|leave|drop|fall|decrease|improve|go)(?: (?:away |down |below )?from)?|never (?:leaves|changes from|moves from|falls below|drops below|gets below|goes below))(?: \w+){0,2}? ?(?:at|around|about|near|on|=|of|from|close to|exactly)? ?(?:the value )?(?:of )?(?:about |around |roughly |exactly |~ ?)?${NUMBER}`,
  'i',
);
const VALUE = new RegExp(
  String.raw`\b(?:is|are|was|were|gets?|reads?|shows?|prints?|reports?|becomes?|reaches|goes up to|comes out (?:as|at)|climbs to|rises to|scores?|of|=)\s?(?:about |around |roughly |nearly |almost |up to |exactly |over |~ ?)?${NUMBER}`,
  'gi',
);
const RANGE = new RegExp(String.raw`\b(?:between|from|range|within|in)\s?\[?\(?\s?${NUMBER}\s?(?:and|to|,|\.\.|-|–)\s?${NUMBER}`, 'i');
/** Words that say how small changes are: the plateau is claimed for the digits before the elision. */
const EVIDENT_WRONG =
  /\b(?:never|wrong|impossible|nonsense|absurd|too (?:high|low|large|small|big)|strange|odd|weird|although|but|even though|should)\b/i;

/** A relation that the report claims of a printed number. */
interface Reading {
  metric: Metric;
  op: Printed['op'];
  right: number;
  absolute?: number;
  take: Printed['take'];
}

function toNumber(written: string | undefined): number {
  return Number((written ?? '').replace('−', '-'));
}

/** Bound of the metric in the unit that the number is written in: 100 for per cent. */
function bound(value: number | undefined, percent: boolean): number | undefined {
  return value === undefined ? undefined : percent ? value * 100 : value;
}

/** `loss below 0`, `accuracy above 1`: in the title, or where the value is impossible by definition. */
function readBound(clause: LiveClause): Reading | null {
  const over = ABOVE.exec(clause.text);
  const under = over === null ? BELOW.exec(clause.text) : null;
  const match = over ?? under;
  if (match === null) {
    const negative = NEGATIVE.exec(clause.text);
    const found = negative === null ? null : metricIn(clause.text);
    return found === null || found.metric.name === 'reward' ? null : { metric: found.metric, op: '<', right: 0, take: 'any' };
  }
  const found = metricIn(clause.text, match.index);
  if (found === null || match.index - found.index > 60) return null;
  const right = toNumber(match[1] ?? match[3]);
  const percent = (match[2] ?? match[4]) !== undefined;
  const high = bound(found.metric.high, percent);
  const low = bound(found.metric.low, percent);
  const impossible = over === null ? low !== undefined && right <= low : high !== undefined && right >= high;
  if (!impossible && !(clause.title && EVIDENT_WRONG.test(clause.text))) return null;
  return { metric: found.metric, op: over === null ? '<' : '>', right, take: 'any' };
}

/** How far printed values of a plateau may lie from the number told: its last digit, at least half a per cent (batch noise). */
export function plateauTolerance(written: string, value: number): number {
  const decimals = /\.(\d+)/.exec(written)?.[1]?.length ?? 0;
  const digit = 10 ** -decimals;
  return Number(Math.max(decimals >= 2 ? digit : digit / 2, Math.abs(value) * 0.005).toPrecision(3));
}

function readPlateau(clause: LiveClause): Reading | null {
  const match = PLATEAU.exec(clause.text);
  const found = match === null ? null : metricIn(clause.text, match.index);
  if (match === null || found === null || match.index - found.index > 60) return null;
  const written = match[1] ?? '';
  const right = toNumber(written);
  if (!Number.isFinite(right) || found.metric.name === 'learning rate') return null;
  return { metric: found.metric, op: 'approx', right, absolute: plateauTolerance(written, right), take: 'all' };
}

/** Range that the report itself states in a sentence of expectation. */
function statedRange(report: Report): { low: number; high: number } | null {
  for (const sentence of report.sentences) {
    const match = RANGE.exec(sentence.text);
    if (match === null || (sentence.stance !== 'expected' && !/\bshould\b/i.test(sentence.text))) continue;
    const low = toNumber(match[1]);
    const high = toNumber(match[3]);
    if (low < high) return { low, high };
  }
  return null;
}

/** A value outside of the metric's range, by definition or by the report's own words. */
function readImpossibleValue(clause: LiveClause, report: Report): Reading | null {
  for (const match of clause.text.matchAll(VALUE)) {
    const found = metricIn(clause.text, match.index);
    if (found === null || match.index - found.index > 60) continue;
    const percent = match[2] !== undefined;
    const value = toNumber(match[1]);
    const stated = statedRange(report);
    const high = bound(found.metric.high, percent) ?? stated?.high;
    const low = bound(found.metric.low, percent) ?? stated?.low;
    // Accuracy in per cent without a sign: only beyond 100 is it surely impossible.
    const plainPercent = !percent && found.metric.high === 1 && value > 10 && stated === null;
    const top = plainPercent ? 100 : high;
    if (top !== undefined && value > top) return { metric: found.metric, op: '>', right: top, take: 'any' };
    if (low !== undefined && value < low) return { metric: found.metric, op: '<', right: low, take: 'any' };
  }
  return null;
}

function toDraft(clause: LiveClause, reading: Reading): FacetDraft {
  const oracle: Oracle = {
    kind: 'printed',
    pattern: printedPattern(reading.metric),
    flags: 'i',
    take: reading.take,
    op: reading.op,
    right: reading.right,
    ...(reading.absolute === undefined ? {} : { absolute: reading.absolute }),
  };
  return {
    name: `printed ${reading.metric.name}`,
    title: clause.title,
    statement: clause.sentence,
    span: clause.span,
    stance: 'observed',
    oracles: [oracle],
    shownBy: 'measurement',
  };
}

/** Facets for numbers that the program prints, where name, value and relation are clear; one for each metric, the title's first. */
export function printedFacets(report: Report, clauses: readonly LiveClause[]): FacetDraft[] {
  const drafts = new Map<string, FacetDraft>();
  for (const clause of clauses) {
    const reading = readBound(clause) ?? readPlateau(clause) ?? readImpossibleValue(clause, report);
    if (reading !== null && Number.isFinite(reading.right) && !drafts.has(reading.metric.name))
      drafts.set(reading.metric.name, toDraft(clause, reading));
  }
  return [...drafts.values()];
}
