import { Claim, Environment, Report } from '@reenact/domain/schemas';
import type { AttemptRecord, Verdict } from '@reenact/domain';
import type { ResultMaterial } from '@reenact/reporting';
import { settleVerdict } from '@reenact/verdict';
import type { Bundle, Ledger } from '@reenact/verdict';
import type { Dependencies } from '../dependencies.js';
import { readTrialEvidence } from '../evidence.js';
import { getJson } from '../json-artifacts.js';
import type { Best, BestBundle, PublishInput } from './fold-attempts.js';
import { readEvidenceAgain } from './read-evidence-again.js';
import type { ReadAgain } from './read-evidence-again.js';

/** The result of a run with every sentence checked against what it rests on, and all that its pages show. */
export async function settleResult(deps: Dependencies, input: PublishInput, best: BestBundle): Promise<ResultMaterial> {
  const { bundle } = best;
  const again = bundle === null ? { trials: new Map(), excerpts: [] } : await readEvidenceAgain(deps, bundle, best);
  const claim = input.claim === null ? null : await getJson(deps.artifacts, input.claim, Claim);
  const environment = input.environment === null ? null : await getJson(deps.artifacts, input.environment, Environment);
  const reportText = input.report === undefined ? null : (await getJson(deps.artifacts, input.report, Report)).text;
  const known = { bundle, again, claim, environment, reportText };
  const verdict = await compose(deps, input, best, known);
  const ideas = input.attempts.flatMap(({ context, attempt, idea }) => (idea === undefined ? [] : [{ context, attempt, idea }]));
  return {
    title: input.title,
    verdict: settleVerdict({ verdict, clauses: best.judgement.clauses, ledger: ledgerOf(input, best, known), ideas }),
    excerpts: again.excerpts,
    scripts: bundle?.candidate.files ?? [],
    commands: bundle?.launch.steps.map(({ argv, ranks }) => `${argv.join(' ')}${ranks > 1 ? `   (${ranks} ranks)` : ''}`) ?? [],
    reportText,
    hasClaim: claim !== null,
  };
}

interface Known {
  bundle: Bundle | null;
  again: ReadAgain;
  claim: Claim | null;
  environment: Environment | null;
  reportText: string | null;
}

function ledgerOf(input: PublishInput, best: Best, { bundle, again, claim, environment, reportText }: Known): Ledger {
  const { judgement } = best;
  const { attempts, ended, usage, skipped } = input;
  return {
    trials: again.trials,
    facets: bundle?.facets ?? claim?.facets ?? [],
    expectedRate: bundle?.expectedRate ?? claim?.claimedRate ?? 1,
    labels: judgement.controls.map(({ arm, label }) => ({ arm, label })),
    findings: judgement.findings,
    scripts: (bundle?.candidate.files ?? []).map(({ path, text }) => ({ path, lines: text.split('\n').length })),
    environment: bundle?.environment ?? (environment === null ? null : { ...environment, interpreter: null }),
    claim: bundle?.claim ?? claim,
    reportText,
    attempts: attempts.map(({ context, attempt, note, result }) => ({ context, attempt, texts: [result, note] })),
    judged: judgement,
    run: { ended, usage, skipped, attempts: attempts.length, trials: judgement.trials, seconds: secondsOf(input) },
  };
}

function secondsOf(input: PublishInput): number {
  return Math.round((input.endedAtMilliseconds - input.startedAtMilliseconds) / 100) / 10;
}

async function compose(deps: Dependencies, input: PublishInput, best: Best, { claim, environment }: Known): Promise<Verdict> {
  const { verdict, sentence, rate, grade, gradeReason, depth, facets, controls, findings, reason, trials } = best.judgement;
  const { levers, seriesLever, explanations } = best.judgement;
  return {
    schemaVersion: 1,
    runId: input.runId,
    ...{ verdict, sentence, rate, grade, gradeReason, depth, facets, controls, findings, reason },
    ...(levers === undefined ? {} : { levers }),
    ...(seriesLever === undefined ? {} : { seriesLever }),
    ...(explanations === undefined ? {} : { explanations }),
    missing: claim?.missing ?? [],
    ...(best.needs === undefined ? {} : { needs: best.needs }),
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
    ...(input.ranking === undefined ? {} : { ranking: input.ranking }),
    trials,
    seconds: secondsOf(input),
  };
}

async function sandboxOf(deps: Dependencies, attempt: AttemptRecord | null): Promise<string> {
  if (!attempt?.evidence) return 'not used';
  const begin = (await readTrialEvidence(deps.artifacts, { evidence: attempt.evidence })).find((record) => record.kind === 'begin');
  return begin?.kind === 'begin' ? begin.sandbox : 'unknown';
}
