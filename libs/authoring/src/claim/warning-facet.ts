import type { OracleOf, Report } from '@reenact/domain';
import type { FacetDraft } from './facet-id.js';
import type { LiveClause } from './live-clauses.js';

const MOST_PATTERN_CHARACTERS = 160;

/** Pattern for a warning's text: its first line, escaped, numbers left open; a closing stop comes and goes between versions. */
function patternOf(message: string): string {
  const head = (message.split('\n', 1)[0] ?? '').slice(0, MOST_PATTERN_CHARACTERS).replace(/[.!\s]{1,8}$/, '');
  return head
    .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    .replace(/\d{1,20}/g, '\\d+')
    .replace(/\s+/g, '\\s+');
}

/** A facet for a warning, where the report is about it: its title or an observed sentence names the warning. */
export function warningFacet(report: Report, clauses: readonly LiveClause[]): FacetDraft | null {
  const clause =
    clauses.find((candidate) => candidate.title && /\bwarn(?:ing|ings|s|ed)\b|[a-z]Warning\b/i.test(candidate.text)) ??
    clauses.find((candidate) => /\b[A-Z]\w{0,60}Warning\b/.test(candidate.text));
  if (clause === undefined) return null;
  const shown = report.warnings.find((warning) => /Warning$/.test(warning.category)) ?? report.warnings[0];
  const named = /\b([A-Z]\w{0,60}Warning)\b/.exec(clause.text)?.[1];
  const category = shown !== undefined && /Warning$/.test(shown.category) ? shown.category : named;
  const base = {
    name: 'warning',
    title: clause.title,
    statement: clause.sentence,
    span: clause.span,
    stance: 'observed' as const,
    shownBy: 'harness' as const,
  };
  if (category === undefined && shown === undefined)
    return { ...base, oracles: [], note: 'a warning is claimed, but neither its category nor its text is told' };
  const oracle: OracleOf<'warning'> = {
    kind: 'warning',
    ...(category === undefined ? {} : { category }),
    ...(shown === undefined ? {} : { pattern: patternOf(shown.message) }),
  };
  return { ...base, oracles: [oracle] };
}
