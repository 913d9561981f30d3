import { readFile, rename } from 'node:fs/promises';
import { exitStatus, isReproduced } from '@reenact/domain';
import { Candidate, Claim, Environment } from '@reenact/domain/schemas';
import type { AttemptRecord, CoreActivities, Verdict, VerdictState } from '@reenact/domain';
import { renderFiveKey, renderMarkdown } from '@reenact/reporting';
import { openRunFolder } from '@reenact/store';
import type { RunFolder } from '@reenact/store';
import { foldRun, packBundle, readBundle } from '@reenact/verdict';
import type { Judgement } from '@reenact/verdict';
import type { Dependencies } from '../dependencies.js';
import { readTrialEvidence } from '../evidence.js';
import { getJson } from '../json-artifacts.js';
import { StoredJudgement } from '../stored-judgement.js';

type PublishInput = Parameters<CoreActivities['publish']>[0];

/** Writes a run's folder. Everything is there before `verdict.json`, which is written last and whole. */
export function createPublishActivities(deps: Dependencies): Pick<CoreActivities, 'publish' | 'recordAttempt'> {
  return {
    async recordAttempt({ runId, attempt }) {
      await writeAttempt(deps, await openRunFolder(deps.stateDirectory, runId), attempt);
    },
    async publish(input) {
      const folder = await openRunFolder(deps.stateDirectory, input.runId);
      const best = await fold(deps, input);
      const verdict = await compose(deps, input, best);
      if (best.attempt?.bundle) await writeBundle(deps, folder, best.attempt.bundle.bundleTree, best.judgement);
      if (input.claim !== null)
        await folder.write('claim.json', JSON.stringify(await getJson(deps.artifacts, input.claim, Claim), null, 2));
      const script = best.attempt === null ? null : await candidateText(deps, best.attempt);
      const output = best.attempt?.evidence ? outputOf(await readTrialEvidence(deps.artifacts, { evidence: best.attempt.evidence })) : '';
      await folder.write('verdict.md', renderMarkdown(verdict, { title: input.title }));
      await folder.write('reproduction.json', JSON.stringify(renderFiveKey(verdict, { script: script ?? '', output }), null, 2));
      // the file says that all is done, so it comes after the store's record too
      await deps.runs.putVerdict(input.runId, verdict);
      await folder.finish(verdict);
      return { verdict: verdict.verdict, sentence: verdict.sentence, exitStatus: exitStatus(verdict) };
    },
  };
}

interface Best {
  judgement: Judgement;
  attempt: AttemptRecord | null;
}

/** The run's judgement: the attempts folded; what ended the run decides only where no attempt proved anything. */
async function fold(deps: Dependencies, input: PublishInput): Promise<Best> {
  const judged = [];
  for (const attempt of input.attempts) {
    if (attempt.judgement !== null) {
      judged.push({
        attempt,
        candidate: attempt.candidateId,
        context: attempt.context,
        judgement: await getJson(deps.artifacts, attempt.judgement, StoredJudgement),
      });
    }
  }
  const first = judged[0];
  if (input.scope === 'script' && first !== undefined)
    return withEnding({ judgement: first.judgement, attempt: first.attempt }, input.ended);
  const folded = foldRun(judged, { environmentProbePassed: input.environment !== null });
  const chosen = folded.decidedBy === null ? judged.at(-1) : judged[folded.decidedBy];
  const judgement = { ...(chosen?.judgement ?? NOTHING_JUDGED), verdict: folded.verdict, sentence: folded.sentence, reason: folded.reason };
  return withEnding({ judgement, attempt: chosen?.attempt ?? null }, input.ended);
}

const NOTHING_JUDGED: Judgement = {
  verdict: 'inconclusive',
  sentence: 'Inconclusive: no attempt was made.',
  rate: { shown: 0, total: 0, low: 0, high: 1 },
  grade: null,
  gradeReason: 'nothing was run',
  depth: 'L0',
  facets: [],
  controls: [],
  findings: [],
  reason: 'attempts',
  trials: 0,
  clauses: [],
  candidates: [],
  claimedRate: 1,
};

const FINAL: ReadonlySet<VerdictState> = new Set(['cancelled', 'infra_error']);

function withEnding(best: Best, ended: PublishInput['ended']): Best {
  if (ended === null) return best;
  if (best.judgement.verdict.startsWith('reproduced') && !FINAL.has(ended.state)) return best;
  const sentence = `${SENTENCES[ended.state] ?? ended.state}: ${ended.reason}.`;
  return { ...best, judgement: { ...best.judgement, verdict: ended.state, reason: ended.reason, sentence } };
}

const SENTENCES: Partial<Record<VerdictState, string>> = {
  cancelled: 'Cancelled',
  infra_error: 'No verdict, since the platform failed',
  inconclusive: 'Inconclusive',
  needs_info: 'Not enough information',
  unsupported: 'Not supported here',
};

async function compose(deps: Dependencies, input: PublishInput, best: Best): Promise<Verdict> {
  const environment = input.environment === null ? null : await getJson(deps.artifacts, input.environment, Environment);
  const claim = input.claim === null ? null : await getJson(deps.artifacts, input.claim, Claim);
  const { trials, ...judgement } = best.judgement;
  return {
    schemaVersion: 1,
    runId: input.runId,
    ...judgement,
    missing: claim?.missing ?? [],
    attempts: input.attempts.map((one) => ({
      context: one.context,
      attempt: one.attempt,
      candidate: one.candidateId,
      origin: one.origin,
      result: one.result,
      note: one.note,
      evidence: one.evidence,
    })),
    cost: input.usage,
    bundle: best.attempt?.bundle ? { id: best.attempt.bundle.bundleId, path: 'bundle.tar' } : null,
    environment:
      environment === null ? null : { id: environment.id, python: environment.pythonVersion, sandbox: await sandboxOf(deps, best.attempt) },
    skipped: input.skipped,
    trials,
    seconds: Math.round((input.endedAtMilliseconds - input.startedAtMilliseconds) / 100) / 10,
  };
}

async function sandboxOf(deps: Dependencies, attempt: AttemptRecord | null): Promise<string> {
  if (!attempt?.evidence) return 'not used';
  const begin = (await readTrialEvidence(deps.artifacts, { evidence: attempt.evidence })).find((record) => record.kind === 'begin');
  return begin?.kind === 'begin' ? begin.sandbox : 'unknown';
}

async function writeBundle(deps: Dependencies, folder: RunFolder, bundleTree: string, judgement: Judgement): Promise<void> {
  const directory = await deps.trees.pathOf(bundleTree);
  const bundle = await readBundle(directory);
  const isSnapshot = bundle.subject.address.type === 'snapshot';
  const aside = folder.pathOf('bundle.tar.new');
  await packBundle(directory, aside, {
    subjectDirectory: isSnapshot ? await deps.trees.pathOf(bundle.subject.treeHash) : null,
    measured: isReproduced(judgement.verdict) ? judgement.rate : null,
  });
  await rename(aside, folder.pathOf('bundle.tar'));
}

async function writeAttempt(deps: Dependencies, folder: RunFolder, attempt: AttemptRecord): Promise<void> {
  const base = `attempts/${attempt.context}-${attempt.attempt}`;
  const candidate = await getJson(deps.artifacts, attempt.candidate, Candidate);
  for (const file of candidate.files) await folder.write(`${base}/script/${file.path}`, file.text);
  await folder.write(`${base}/launch.json`, JSON.stringify(candidate.launch, null, 2));
  if (attempt.evidence !== null) {
    const records = await readTrialEvidence(deps.artifacts, { evidence: attempt.evidence });
    await folder.write(`${base}/output.txt`, outputOf(records));
    await folder.write(`${base}/evidence.jsonl`, await readFile(deps.artifacts.pathOf(attempt.evidence)));
  }
  if (attempt.judgement !== null) await folder.write(`${base}/judgement.json`, await readFile(deps.artifacts.pathOf(attempt.judgement)));
  await folder.write(`${base}/attempt.json`, JSON.stringify(attempt, null, 2));
}

async function candidateText(deps: Dependencies, attempt: AttemptRecord): Promise<string> {
  const candidate = await getJson(deps.artifacts, attempt.candidate, Candidate);
  if (candidate.files.length > 0) return candidate.files.map((file) => file.text).join('\n');
  return candidate.launch.steps.map((step) => step.argv.join(' ')).join('\n');
}

function outputOf(records: Awaited<ReturnType<typeof readTrialEvidence>>): string {
  return records.map((record) => (record.kind === 'stream' ? `${record.line}\n` : '')).join('');
}
