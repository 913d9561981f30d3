import { plainLine } from '@reenact/reporting';
import type { SearchAnswer, SearchHit, TermScore } from '@reenact/domain';

/** A hit with the line that is shown of it, and the reranker's score; null beyond those that it looked at. */
export type ShownHit = SearchHit & { firstLine: string; rerank: number | null };

/** Terms shown of one hit; the rest is summed up. */
const MOST_TERMS = 8;
const LONGEST_LINE = 120;

/** The answer for people: place, name, score and first line of every hit; with terms what each of them gives. */
export function renderSearch(answer: SearchAnswer, hits: ShownHit[]): string {
  return hits
    .map((hit, place) => [headOf(hit, place), `   ${plainLine(hit.firstLine.trim(), LONGEST_LINE)}`, ...explainHit(answer, hit)].join('\n'))
    .join('\n');
}

function headOf(hit: ShownHit, place: number): string {
  const name = hit.name === '' ? hit.kind : `${hit.kind} ${hit.name}`;
  return `${place + 1}. ${plainLine(hit.file, 300)}:${hit.startLine}-${hit.endLine}  ${plainLine(name, LONGEST_LINE)}  ${hit.score.toFixed(3)}`;
}

function explainHit({ maximum }: SearchAnswer, { lexical, similarity, terms, rerank }: ShownHit): string[] {
  if (terms === undefined) return [];
  const words = `words ${lexical.toFixed(2)} of at most ${maximum.toFixed(2)} (${percent(lexical, maximum)})`;
  const meaning = similarity === null ? 'no similarity' : `similarity ${similarity.toFixed(3)}`;
  const shown = terms.slice(0, MOST_TERMS).map((term) => `     ${renderTerm(term, lexical)}`);
  const more = terms.length - shown.length;
  const order = rerank === null ? '' : `, reranked by ${rerank.toFixed(3)}`;
  return [`   ${words}, ${meaning}${order}`, ...shown, ...(more > 0 ? [`     and ${more} more`] : [])];
}

function renderTerm({ term, times, inverseDocumentFrequency, frequency, score }: TermScore, lexical: number): string {
  const asked = times === 1 ? '' : `, asked ${times} times`;
  return `${plainLine(term, 64)}: ${score.toFixed(2)} (${percent(score, lexical)}); rarity ${inverseDocumentFrequency.toFixed(2)}, counts ${frequency} here${asked}`;
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`;
}
