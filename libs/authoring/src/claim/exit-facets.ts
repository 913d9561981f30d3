import { nativeWords, type Oracle, type Report, type Span } from '@reenact/domain';
import type { FacetDraft } from './facet-id.js';
import type { LiveClause } from './live-clauses.js';

/** How kernels, shells and people call the signals that end a program by a fault of its own (signal(7)). */
const SIGNALS: readonly { signal: string; pattern: RegExp }[] = [
  { signal: 'SIGSEGV', pattern: /\bsegmentation fault|\bseg-?faults?\b|\bsegfault(?:s|ed|ing)?\b|\bSIGSEGV\b|\bsegmentation violation\b/i },
  { signal: 'SIGBUS', pattern: /\bbus error\b|\bSIGBUS\b/i },
  { signal: 'SIGFPE', pattern: /\bfloating[ -]point exception\b|\bSIGFPE\b/i },
  { signal: 'SIGILL', pattern: /\billegal instruction\b|\bSIGILL\b/i },
  {
    signal: 'SIGABRT',
    pattern: /\bSIGABRT\b|^Aborted\b|\bAborted \(core dumped\)|\bterminate called after\b|\bdouble free\b|\bcorrupted size\b/i,
  },
];
const KILLED = /^Killed\b|\bSIGKILL\b|\bkilled by signal 9\b|\bexit code (?:137|-9)\b/;
const EXIT_CODE =
  /\b(?:exit(?:s|ed)?|end(?:s|ed)?|finish(?:es|ed)?|return(?:s|ed)?|terminate(?:s|d)?) (?:\w+ ){0,3}?(?:with )?(?:an? )?(?:exit ?code|exit status|status|return code|code) (?:of )?(-?\d{1,10})\b/i;

interface Place {
  text: string;
  statement: string;
  span: Span;
  title: boolean;
}

function placesOf(report: Report, clauses: readonly LiveClause[]): Place[] {
  const lines = report.errorLines.map((line) => ({ text: line.text, statement: line.text, span: line.span, title: false }));
  return [
    ...lines,
    ...clauses.map((clause) => ({ text: clause.text, statement: clause.sentence, span: clause.span, title: clause.title })),
  ];
}

function draft(place: Place, rest: Pick<FacetDraft, 'name' | 'oracles' | 'note'>): FacetDraft {
  return { title: place.title, statement: place.statement, span: place.span, stance: 'observed', shownBy: 'harness', ...rest };
}

/** Frames of a dump that are claimed, from the deep end: enough for two in order (verdict.md section 4). */
const DEEPEST_FRAMES = 12;

/** The failure that tells most of itself: words and frames, then either, then the first. */
function mostTold(failures: Report['nativeFailures']): Report['nativeFailures'][number] | undefined {
  const told = (failure: Report['nativeFailures'][number]): number =>
    Number(nativeWords(failure) !== '') + Number(failure.frames.length > 0);
  const most = Math.max(0, ...failures.map(told));
  return failures.find((failure) => told(failure) === most);
}

/** A facet for an end below Python that the report shows with native code's own words or a dump of the fault handler. */
function nativeFacet(report: Report): FacetDraft | null {
  const failure = mostTold(report.nativeFailures);
  if (failure === undefined) return null;
  const words = nativeWords(failure);
  const frames = failure.frames.filter((frame) => !frame.file.startsWith('<')).slice(-DEEPEST_FRAMES);
  const statement = (words === '' ? report.text.slice(failure.span.start, failure.span.end) : words).split('\n', 1)[0] ?? '';
  const oracle: Oracle = {
    kind: 'exit',
    op: '==',
    signal: failure.signal,
    ...(words === '' ? {} : { message: words.slice(0, 2_000) }),
    ...(frames.length === 0 ? {} : { frames }),
  };
  const place = { text: statement, statement: statement.trim(), span: failure.span, title: false };
  return draft(place, { name: `exit ${failure.signal}`, oracles: [oracle] });
}

/** A facet for a program that a signal or a status of its own ended; at most one. */
export function exitFacet(report: Report, clauses: readonly LiveClause[]): FacetDraft | null {
  const native = nativeFacet(report);
  if (native !== null) return native;
  const places = placesOf(report, clauses);
  for (const { signal, pattern } of SIGNALS) {
    const place = places.find((candidate) => pattern.test(candidate.text));
    if (place !== undefined) return draft(place, { name: `exit ${signal}`, oracles: [{ kind: 'exit', op: '==', signal }] });
  }
  for (const place of places) {
    const code = Number(EXIT_CODE.exec(place.text)?.[1] ?? Number.NaN);
    // 1 is what every uncaught exception gives: it tells nothing by itself.
    if (Number.isInteger(code) && code !== 0 && code !== 1 && !KILLED.test(place.text)) {
      return draft(place, { name: `exit ${String(code)}`, oracles: [{ kind: 'exit', op: '==', code }] });
    }
  }
  return null;
}

/** "Killed": somebody ended the process from outside; who and why is not told, so there is no check. */
export function killedFacet(report: Report, clauses: readonly LiveClause[]): FacetDraft | null {
  const place = placesOf(report, clauses).find((candidate) => KILLED.test(candidate.text));
  return place === undefined
    ? null
    : draft(place, { name: 'killed', oracles: [], note: '"Killed" says only that the process was ended from outside, not why' });
}
