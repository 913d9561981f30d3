import type { estypes } from '@elastic/elasticsearch';
import type { SearchHit, SearchRequest, TermScore } from '@reenact/domain';
import { oddAnswer, searchMany } from './answers.js';
import type { SearchTarget } from './search.js';
import { lexicalSearch } from './query.js';

/** Begin of the line by which the server tells one term's part: `weight(tk:loss in 12) …`. */
const TERM = 'weight(tk:';

/** What is explained. */
interface Explained {
  target: SearchTarget;
  request: SearchRequest;
  signal: AbortSignal | undefined;
  terms: estypes.QueryDslQueryContainer[] | null;
  index: string;
}

/** The hits with what each query term gave to them, out of the server's own account of its scores; asked for these hits only. */
export async function addTerms({ target, request, signal, terms, index }: Explained, hits: SearchHit[]): Promise<SearchHit[]> {
  const told = new Map<string, TermScore[]>();
  if (terms !== null && hits.length > 0) {
    const filter = [{ ids: { values: hits.map(({ id }) => id) } }];
    const body = { ...lexicalSearch(terms, filter, hits.length), _source: false, explain: true };
    const [answer] = await searchMany({ connection: target.connection, index, signal }, [body]);
    for (const { _id = '', _explanation } of answer?.hits ?? []) told.set(_id, readTerms(_explanation, request.tokens));
  }
  return hits.map((hit) => ({ ...hit, terms: told.get(hit.id) ?? [] }));
}

/** Terms of an explanation, the weightiest first. @throws AppError where it has another form. */
export function readTerms(explanation: estypes.ExplainExplanation | undefined, tokens: string[]): TermScore[] {
  const lines = explanation === undefined ? [] : flatten(explanation).filter(({ description }) => description.startsWith(TERM));
  const terms = lines.map((line) => {
    const term = line.description.slice(TERM.length).split(' in ')[0] ?? '';
    const times = tokens.filter((token) => token === term).length;
    const parts = flatten(line);
    const inverseDocumentFrequency = parts.find(({ description }) => description.startsWith('idf,'))?.value;
    const frequency = parts.find(({ description }) => description.startsWith('freq,'))?.value;
    if (times === 0 || inverseDocumentFrequency === undefined || frequency === undefined) throw oddAnswer();
    return { term, times, inverseDocumentFrequency, frequency, score: line.value };
  });
  return terms.sort((left, right) => right.score - left.score || (left.term < right.term ? -1 : 1));
}

function flatten(line: estypes.ExplainExplanationDetail | estypes.ExplainExplanation): estypes.ExplainExplanationDetail[] {
  return [line, ...(line.details ?? []).flatMap(flatten)];
}
