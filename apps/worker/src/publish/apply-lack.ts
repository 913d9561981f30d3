import { Claim, Report } from '@reenact/domain/schemas';
import { findLack, mayLack, verdictSentence } from '@reenact/verdict';
import type { LackAttempt } from '@reenact/verdict';
import type { Dependencies } from '../dependencies.js';
import { readWholeEvidence } from '../evidence.js';
import { getJson } from '../json-artifacts.js';
import { listFiles } from '../list-files.js';
import type { BestBundle, JudgedAttempt, PublishInput } from './fold-attempts.js';

/** The answer `unsupported` with its contract, where the attempts failed for want of something that this machine lacks; else as it was. */
export async function applyLack(
  deps: Dependencies,
  input: PublishInput,
  best: BestBundle,
  judged: readonly JudgedAttempt[],
): Promise<BestBundle> {
  const decidedBy = judged.findIndex(({ attempt }) => attempt === best.attempt);
  if (!mayLack(best.judgement.verdict) || input.ended !== null || input.claim === null || decidedBy < 0 || best.bundle === null)
    return best;
  const { subject } = best.bundle;
  const attempts: LackAttempt[] = [];
  // one after the other: each evidence may be big
  for (const one of judged) attempts.push(await lackAttempt(deps, one));
  const lack = findLack({
    verdict: best.judgement.verdict,
    decidedBy,
    attempts,
    claim: await getJson(deps.artifacts, input.claim, Claim),
    platform: await platformOf(deps, input),
    subjectFiles: await listFiles(await deps.trees.pathOf(subject.treeHash)),
  });
  if (lack === null) return best;
  const { need, clauses } = lack;
  const reason = `${need.reason}: ${need.what}`;
  return {
    ...best,
    needs: [need],
    judgement: { ...best.judgement, verdict: 'unsupported', reason, clauses, sentence: verdictSentence(clauses) },
  };
}

async function lackAttempt(deps: Dependencies, { attempt, judgement }: JudgedAttempt): Promise<LackAttempt> {
  const trial = judgement.candidates[0] ?? '';
  const stored = trial === '' ? null : await deps.runs.getTrial(trial);
  const records = stored === null ? null : await readWholeEvidence(deps, stored);
  return { judgement, origin: attempt.origin, trial, records: records ?? [] };
}

/** Windows or macOS where the report says so of what was observed, and not only in its list of versions. */
async function platformOf(deps: Dependencies, input: PublishInput): Promise<string | null> {
  if (input.report === undefined) return null;
  const { operatingSystem, sentences, title } = await getJson(deps.artifacts, input.report, Report);
  const name = /^windows/i.test(operatingSystem ?? '') ? 'Windows' : /^mac|^os ?x/i.test(operatingSystem ?? '') ? 'macOS' : null;
  if (name === null) return null;
  const words = name === 'Windows' ? /\bwindows\b/i : /\b(?:mac ?os|os ?x)\b/i;
  const said = sentences.filter(({ stance }) => stance === 'observed' || stance === 'contrast').map(({ text }) => text);
  return [title, ...said].some((text) => words.test(text)) ? name : null;
}
