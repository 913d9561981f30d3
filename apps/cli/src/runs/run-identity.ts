import { bugKey, reproduceWorkflowId, shortId } from '@reenact/domain';
import type { BisectRequest, Configuration, JudgeRequest, MinimiseRequest, ReplayRequest, ReproduceRequest } from '@reenact/domain';

/** Any request that a workflow is started with. */
export type AnyRequest = ReproduceRequest | JudgeRequest | ReplayRequest | BisectRequest | MinimiseRequest;
/** A request before it has a name. */
export type RequestDraft =
  Draft<ReproduceRequest> | Draft<JudgeRequest> | Draft<ReplayRequest> | Draft<BisectRequest> | Draft<MinimiseRequest>;
type Draft<T> = Omit<T, 'runId' | 'series'>;

/** Names of one run; pure functions of what was asked, so that an equal request meets the same run. */
export interface RunIdentity {
  bug: string;
  workflowId: string;
  runId: string;
}

const PREFIXES = { reproduce: 'repro', judge: 'judge', replay: 'replay', bisect: 'bisect', minimise: 'minimise' } as const;
const MAX_SLUG_LENGTH = 32;

/**
 * Names a run: `repro/<bug>/<request>[.<force>]` and `<slug of the title>-<6 hex>`.
 * @param model which models would be asked ({@link askedModels}); others make another run.
 * @param force 0 for the first run of this request, then counted up.
 */
export function identifyRun(draft: RequestDraft, model: string | null, force: number): RunIdentity {
  const bug = bugKey('report' in draft ? draft.report : draft.bundleTree, treeOf(draft));
  const request = shortId({ asked: { ...draft, title: '' }, model });
  const workflowId = reproduceWorkflowId(bug, request, force).replace(/^repro/, PREFIXES[draft.kind]);
  return { bug, workflowId, runId: `${slug(draft.title)}-${shortId(workflowId).slice(0, 6)}` };
}

/**
 * Which models a request would ask: the one that writes scripts and, for a search, those that choose what it sees. Null = none. Settings
 * that are as they come name nothing, and no key is part of it.
 */
export function askedModels(
  { kind }: Pick<RequestDraft, 'kind'>,
  { model, retrievalModels }: Pick<Configuration, 'model' | 'retrievalModels'>,
): string | null {
  const { embedder, reranker } = retrievalModels;
  const name = model?.name ?? null;
  if (kind !== 'reproduce' || (embedder.type === 'none' && reranker.type === 'features')) return name;
  const ranking = { embedder: embedder.type === 'openai' ? { ...embedder, apiKey: null } : embedder, reranker };
  return `${name ?? ''} ${shortId(ranking)}`;
}

/** What the bug was seen in, as far as the request says it. */
function treeOf(draft: RequestDraft): string {
  return draft.kind === 'bisect' ? shortId(draft.axis) : (draft.treeHash ?? shortId(draft.subject));
}

/** A title as the beginning of a run id: lower-case ASCII words, cut at a word. */
export function slug(title: string): string {
  const words = title
    .slice(0, 400)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ');
  let text = '';
  for (const word of words) {
    if (text !== '' && text.length + 1 + word.length > MAX_SLUG_LENGTH) break;
    text = text === '' ? word.slice(0, MAX_SLUG_LENGTH) : `${text}-${word}`;
  }
  return text === '' ? 'run' : text;
}
