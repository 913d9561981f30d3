import { readFile, rename } from 'node:fs/promises';
import { exitStatus, isReproduced } from '@reenact/domain';
import { Candidate, Claim } from '@reenact/domain/schemas';
import type { AttemptRecord, CoreActivities, Verdict } from '@reenact/domain';
import { evidencePath, excerptLines, renderFiveKey, renderHtml, renderMarkdown } from '@reenact/reporting';
import type { ResultMaterial } from '@reenact/reporting';
import { openRunFolder } from '@reenact/store';
import type { RunFolder } from '@reenact/store';
import { packBundle, readBundle } from '@reenact/verdict';
import type { Bundle } from '@reenact/verdict';
import type { Dependencies } from '../dependencies.js';
import { readTrialEvidence } from '../evidence.js';
import { getJson } from '../json-artifacts.js';
import { applyLack } from '../publish/apply-lack.js';
import { foldAttempts, judgedAttempts } from '../publish/fold-attempts.js';
import { settleResult } from '../publish/settle-result.js';

/** Writes a run's folder. Everything is there before `verdict.json`, which is written last and whole. */
export function createPublishActivities(deps: Dependencies): Pick<CoreActivities, 'publish' | 'recordAttempt'> {
  return {
    async recordAttempt({ runId, attempt }) {
      await writeAttempt(deps, await openRunFolder(deps.stateDirectory, runId), attempt);
    },
    async publish(input) {
      const folder = await openRunFolder(deps.stateDirectory, input.runId);
      const judged = await judgedAttempts(deps, input);
      const folded = foldAttempts(judged, input);
      const directory = folded.attempt?.bundle ? await deps.trees.pathOf(folded.attempt.bundle.bundleTree) : null;
      const bundle = directory === null ? null : await readBundle(directory);
      const best = await applyLack(deps, input, { ...folded, bundle }, judged);
      const material = await settleResult(deps, input, best);
      const { verdict } = material;
      if (directory !== null && bundle !== null) await writeBundle(deps, folder, { directory, bundle, verdict });
      if (input.claim !== null)
        await folder.write('claim.json', JSON.stringify(await getJson(deps.artifacts, input.claim, Claim), null, 2));
      await writePages(folder, material);
      const script = best.attempt === null ? '' : await candidateText(deps, best.attempt);
      const output = best.attempt?.evidence ? outputOf(await readTrialEvidence(deps.artifacts, { evidence: best.attempt.evidence })) : '';
      await folder.write('reproduction.json', JSON.stringify(renderFiveKey(verdict, { script, output }), null, 2));
      // the file says that all is done, so it comes after the store's record too
      await deps.runs.putVerdict(input.runId, verdict);
      await folder.finish(verdict);
      return { verdict: verdict.verdict, sentence: verdict.sentence, exitStatus: exitStatus(verdict) };
    },
  };
}

/** The records that the pages link to come first, so that no page ever names a file that is not there. */
async function writePages(folder: RunFolder, material: ResultMaterial): Promise<void> {
  for (const { trial, records } of material.excerpts) await folder.write(evidencePath(trial), excerptLines(records));
  await folder.write('verdict.md', renderMarkdown(material));
  await folder.write('result.html', renderHtml(material));
}

interface PublishedBundle {
  directory: string;
  bundle: Bundle;
  verdict: Verdict;
}

async function writeBundle(deps: Dependencies, folder: RunFolder, { directory, bundle, verdict }: PublishedBundle): Promise<void> {
  const isSnapshot = bundle.subject.address.type === 'snapshot';
  const aside = folder.pathOf('bundle.tar.new');
  await packBundle(directory, aside, {
    subjectDirectory: isSnapshot ? await deps.trees.pathOf(bundle.subject.treeHash) : null,
    measured: isReproduced(verdict.verdict) ? verdict.rate : null,
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
