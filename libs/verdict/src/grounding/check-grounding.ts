import type { FacetState, Rate, Statement } from '@reenact/domain';
import { CHANCE_TRIALS, DETERMINISTIC_TRIALS } from '../verification/trial-plan.js';
import { figuresIn, foldText, isRounded, occursAmong, splitQuotes } from './figures.js';
import type { Ledger } from './ledger.js';
import { type Support, supportOf } from './support.js';

/** Readings shorter than this are too common to be taken out of a sentence as a whole. */
const LEAST_READING = 8;
/** Digits are bounded and begin where no digit is before, so that every scan is linear. */
const COUNT = /(?<!\d)(\d{1,9}) of (\d{1,9})/g;
const COUNT_WITH_INTERVAL = /(?<!\d)(\d{1,9}) of (\d{1,9})((?:(?!\d of \d)[^(]){0,80})\(95 % interval (\d{1,3})–(\d{1,3}) %\)/g;
const LEAST_TRIALS = /of at least (\d{1,9}) trials/g;
const FACET_STATES = /(?<!\d)(\d{1,9}) (shown|absent|collision|undecided)\b/g;
const GRADE = /\bgrade ([A-D])\b/g;

/**
 * Why a sentence does not follow from what it rests on, or null. Counts with their intervals are made anew from all trials of the
 * arm; every other figure must occur in a record, be a reading of it, or be a number computed from the trials; what is quoted must
 * occur word for word. Pure.
 */
export function checkStatement(statement: Pick<Statement, 'text' | 'rests'>, ledger: Ledger): string | null {
  if (statement.rests.length === 0) return 'it rests on nothing';
  const supports: Support[] = [];
  for (const rest of statement.rests) {
    const support = supportOf(rest, ledger);
    if (typeof support === 'string') return support;
    supports.push(support);
  }
  const merged = merge(supports);
  const { quotes, rest } = splitQuotes(statement.text);
  const stranger = quotes.find((quote) => !isQuotedFrom(quote, merged));
  if (stranger !== undefined) return `no record says “${stranger.slice(0, 120)}”`;
  // a reading is the script's own words, so it frees no count with its interval
  return wrongInterval(rest, merged.counts) ?? checkFigures(withoutReadings(rest, merged.readings), merged);
}

/** Every statement that is said as a fact, checked: those that do not hold are marked, with the reason. Pure. */
export function checkGrounding(statements: readonly Statement[], ledger: Ledger): Statement[] {
  return statements.map((statement) => {
    if (statement.standing === 'hypothesis') return statement;
    const why = checkStatement(statement, ledger);
    return why === null ? { ...statement, standing: 'grounded' } : { ...statement, standing: 'not-grounded', note: why };
  });
}

function merge(supports: readonly Support[]): Support {
  return {
    counts: supports.flatMap(({ counts }) => counts),
    facetStates: new Map(supports.flatMap(({ facetStates }) => [...facetStates])),
    numbers: supports.flatMap(({ numbers }) => numbers),
    readings: supports.flatMap(({ readings }) => readings),
    texts: supports.flatMap(({ texts }) => texts),
  };
}

function isQuotedFrom(quote: string, { readings, texts }: Support): boolean {
  const wanted = foldText(quote).replace(/…$/, '');
  return [...readings, ...texts].some((text) => foldText(text).includes(wanted));
}

/** A sentence may hand on what an oracle said about a trial, word for word; longer readings go first, since they may hold shorter ones. */
function withoutReadings(text: string, readings: readonly string[]): string {
  const known = [...new Set(readings.map(foldText))].filter((reading) => reading.length >= LEAST_READING);
  return known
    .toSorted((left, right) => right.length - left.length)
    .reduce((rest, reading) => rest.replaceAll(reading, ' '), foldText(text));
}

function checkFigures(text: string, support: Support): string | null {
  const wrong =
    [...text.matchAll(COUNT)].find(([, shown, total]) => !support.counts.some((rate) => isCount(rate, shown, total))) ??
    [...text.matchAll(LEAST_TRIALS)].find(([, least]) => Number(least) !== DETERMINISTIC_TRIALS && Number(least) !== CHANCE_TRIALS) ??
    [...text.matchAll(FACET_STATES)].find(([, count, state]) => !isStateCount(count, state as FacetState, support)) ??
    [...text.matchAll(GRADE)].find(([whole]) => !support.texts.includes(whole));
  if (wrong !== undefined) return doesNotFollow(wrong[0]);
  const left = text
    .replace(COUNT_WITH_INTERVAL, '$3 ')
    .replace(COUNT, ' ')
    .replace(LEAST_TRIALS, ' ')
    .replace(support.facetStates.size > 0 ? FACET_STATES : /$^/g, ' ');
  const known = new Set(figuresIn(support.texts.join('\n')));
  const figure = figuresIn(left).find((one) => !occursAmong(one, known) && !support.numbers.some((value) => isRounded(one, value)));
  return figure === undefined ? null : `no record has the figure ${figure.slice(0, 60)}`;
}

function wrongInterval(text: string, counts: readonly Rate[]): string | null {
  const wrong = [...text.matchAll(COUNT_WITH_INTERVAL)].find((match) => !isInterval(match, counts));
  return wrong === undefined ? null : doesNotFollow(wrong[0]);
}

function doesNotFollow(words: string): string {
  return `“${words.slice(0, 120)}” does not follow from the trials`;
}

function isCount(rate: Rate, shown: string | undefined, total: string | undefined): boolean {
  return rate.shown === Number(shown) && rate.total === Number(total);
}

function isInterval([, shown, total, , low, high]: RegExpExecArray, counts: readonly Rate[]): boolean {
  return counts.some((rate) => isCount(rate, shown, total) && isPercent(low, rate.low) && isPercent(high, rate.high));
}

function isPercent(figure: string | undefined, share: number): boolean {
  return Number(figure) === Math.round(share * 100);
}

/** Where no facet states are at hand, `3 shown` is a figure like any other. */
function isStateCount(count: string | undefined, state: FacetState, { facetStates }: Support): boolean {
  return facetStates.size === 0 || facetStates.get(state) === Number(count);
}
