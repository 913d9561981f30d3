import type { Report } from '@reenact/domain';
import { namesSymptom } from '@reenact/report';
import { exceptionFacets } from './exception-facets.js';
import { exitFacet, killedFacet } from './exit-facets.js';
import type { FacetDraft } from './facet-id.js';
import { hangFacet } from './hang-facet.js';
import { laterFacets } from './later-facets.js';
import type { LiveClause } from './live-clauses.js';
import { nonFiniteFacet } from './nonfinite-facet.js';
import { printedFacets } from './printed-facets.js';
import { isVague } from './vague-words.js';
import { warningFacet } from './warning-facet.js';

/** A collective or a pool that gave up waiting: another form of the same standstill (verdict.md section 4). */
const TIMED_OUT = /\btime[- ]?d?[- ]?out\b|watchdog|Timeout/i;
const CRASH_WORDS = /\b(?:crash(?:es|ed|ing)?|dies|died|fails?|failed|abort(?:s|ed)?|errors? out|throws?|raises?|error|exception)\b/i;

function isTimeOut(draft: FacetDraft): boolean {
  return draft.oracles.some(
    (oracle) => oracle.kind === 'exception' && TIMED_OUT.test(`${oracle.types.join(' ')} ${oracle.message?.text ?? ''}`),
  );
}

/** Exceptions and the standstill: after an error peers wait for the dead one, and a standstill may end in a time-out error. */
function failures(report: Report, clauses: readonly LiveClause[]): FacetDraft[] {
  const exceptions = exceptionFacets(report, clauses);
  const hang = hangFacet(report, clauses);
  if (hang === null) return exceptions;
  const others = exceptions.filter((draft) => !isTimeOut(draft));
  if (others.length === 0) return [hang.draft];
  return hang.title && !others.some((draft) => draft.title) ? [hang.draft, ...others] : others;
}

/** Symptoms in numbers: those of the title, else the first one that the text tells. */
function softFacets(report: Report, clauses: readonly LiveClause[]): FacetDraft[] {
  const all = [...printedFacets(report, clauses), ...laterFacets(clauses)];
  const titled = all.filter((draft) => draft.title);
  if (titled.length > 0) return preferred(titled);
  const inOrder = [...all].sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
  return preferred(inOrder).slice(0, 1);
}

/** Where results differ from run to run or rank to rank, no single printed value is the symptom. */
function preferred(drafts: readonly FacetDraft[]): FacetDraft[] {
  const varying = drafts.filter((draft) => draft.oracles.some((oracle) => oracle.kind === 'nondeterminism' || oracle.kind === 'desync'));
  return varying.length > 0 ? varying.slice(0, 1) : [...drafts];
}

/** The symptom in the reporter's words, when no rule can bind it; null where they name none. */
function unboundFacet(report: Report, clauses: readonly LiveClause[]): FacetDraft | null {
  const titled = clauses.find((clause) => clause.title && (namesSymptom(clause.text) || report.missing.length < 4));
  const told = clauses.find((clause) => !clause.title && report.sentences[clause.at]?.stance === 'observed');
  const inOrder = titled !== undefined && (namesSymptom(titled.text) || told === undefined) ? [titled, told] : [told, titled];
  // "It does not work" is no symptom: over a text that tells more it is passed over, and alone it is a reason to ask.
  const best = inOrder.find((clause) => clause !== undefined && !isVague(clause.sentence));
  if (best === undefined || report.missing.includes('symptom')) return null;
  const crash = CRASH_WORDS.test(best.text);
  const note = crash ? 'an error is claimed, but neither its type nor its message is told' : 'no rule binds this symptom to a check';
  return {
    name: crash ? 'error' : 'symptom',
    title: best.title,
    statement: best.sentence,
    span: best.span,
    stance: 'observed',
    oracles: [],
    shownBy: crash ? 'harness' : 'measurement',
    note,
  };
}

/** The live facets of a report: what ends or stops the program first, then what its numbers show, then its own words. */
export function chooseFacets(report: Report, clauses: readonly LiveClause[]): FacetDraft[] {
  const soft = softFacets(report, clauses);
  // A title about numbers outweighs words of standstill in the text, which may speak of memory that is not given back.
  const hard = failures(report, clauses).filter((draft) => draft.title || draft.name !== 'hang' || !soft.some((other) => other.title));
  const exit = hard.length === 0 ? exitFacet(report, clauses) : null;
  if (exit !== null) hard.push(exit);
  const nonFinite = nonFiniteFacet(clauses);
  if (nonFinite !== null && (hard.length === 0 || nonFinite.title)) hard.push(nonFinite);
  const beside = soft.filter(
    (draft) =>
      hard.length === 0 || (draft.title && draft.oracles.some((oracle) => oracle.kind === 'printed') && !hard.some((other) => other.title)),
  );
  const found = [...hard, ...beside];
  if (found.length > 0) return found;
  const rest = warningFacet(report, clauses) ?? killedFacet(report, clauses) ?? unboundFacet(report, clauses);
  return rest === null ? [] : [rest];
}
