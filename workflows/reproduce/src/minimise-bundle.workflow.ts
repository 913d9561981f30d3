import { endsSearch, NO_USAGE } from '@reenact/domain';
import type {
  ArmPlan,
  AttemptRecord,
  ContentRef,
  CutVariant,
  FrozenBundle,
  MeasuredRate,
  MinimiseRequest,
  PreparedEnvironment,
  PreparedSubject,
  ProbeResult,
  Trial,
  VerdictState,
} from '@reenact/domain';
import { endedBy, publishEnding } from './ending.js';
import type { RunResult } from './ending.js';
import { bisection, core, jobs, minimising } from './policies.js';
import { replayAttempt } from './replay-bundle.workflow.js';
import { runFinished } from './run-finished.js';
import { stageArms, stageEnvironment, stageSubject } from './stage-bundle.js';
import { Story } from './story.js';

/** Trials of one search: a workflow's history is bounded, and each trial takes some of it. */
const MAX_TRIALS = 1200;
const WHOLE: CutVariant = { removed: [], numbers: [], ranks: [] };

/** Makes a bundle smaller, one cut after the other under the same oracle, and then verifies the smallest one as any other. */
export async function minimiseBundleWorkflow(request: MinimiseRequest): Promise<RunResult> {
  const story = new Story(request.runId, request.title, 'minimise');
  const startedAtMilliseconds = Date.now();
  const attempts: AttemptRecord[] = [];
  let stage: Stage | null = null;
  let title = request.title;
  let ended: { state: VerdictState; reason: string } | null = null;
  try {
    stage = await openStage(request);
    const found = await new Cutter(request, stage, story).smallest();
    const attempt = await verifySmallest(request, stage, found, story);
    attempts.push(attempt.record);
    title = `${request.title}: ${attempt.lines} of ${found.linesBefore} lines`;
  } catch (error) {
    ended = await endedBy(error, attempts.length, story);
  }
  return publishEnding(
    {
      runId: request.runId,
      title,
      claim: stage?.claim ?? null,
      environment: stage?.environment.environment ?? null,
      attempts,
      scope: 'script',
      usage: NO_USAGE,
      skipped: [],
      startedAtMilliseconds,
    },
    ended,
    story,
  );
}

/** Everything that the bundle runs in. */
interface Stage {
  claim: ContentRef;
  expectedRate: number;
  measured: MeasuredRate | null;
  patch: ContentRef | null;
  subject: PreparedSubject;
  environment: PreparedEnvironment;
  arms: ArmPlan[];
  candidate: ContentRef;
}

async function openStage(request: MinimiseRequest): Promise<Stage> {
  const opened = await core.openBundle({ bundleTree: request.bundleTree });
  const subject = await stageSubject(request, opened.treeHash, opened.address);
  const environment = await stageEnvironment(request, opened.requirements, subject.treeHash);
  const arms = await stageArms(request, subject, environment, opened.patches);
  const { candidate } = await core.checkBundle({ bundleTree: request.bundleTree, treeHash: subject.treeHash });
  const { claim, expectedRate, measured, patches } = opened;
  return { claim, expectedRate, measured, patch: patches[0] ?? null, subject, environment, arms, candidate };
}

interface Smallest {
  variant: CutVariant;
  linesBefore: number;
}

/** Tries one variant after the other. What a variant brought is kept in the history, so a killed search goes on where it was. */
class Cutter {
  private trialIndex = 0;

  constructor(
    private readonly request: MinimiseRequest,
    private readonly stage: Stage,
    private readonly story: Story,
  ) {}

  async smallest(): Promise<Smallest> {
    const { candidate } = this.stage;
    const { maxTests } = this.request;
    const whole = await minimising.applyCut({ candidate, variant: WHOLE });
    await this.story.tell('plan', `making ${whole.size.lines} lines smaller, at most ${maxTests} variants`);
    let step = await minimising.planCut({ candidate, log: null, result: null, maxTests });
    while (!step.done && this.trialIndex < MAX_TRIALS) {
      const made = await minimising.applyCut({ candidate, variant: step.variant });
      const keeps = await this.keepsFault(made.candidate);
      if (keeps) await this.story.tell('attempt', `variant ${step.tests + 1}: ${made.size.lines} lines still show it`);
      step = await minimising.planCut({ candidate, log: step.log, result: { variant: step.variant, keeps }, maxTests });
    }
    await this.story.tell('attempt', `${step.tests} variants were tried`);
    // Cut short, the step holds a variant that was not tried yet.
    const last = step.done ? step : await minimising.planCut({ candidate, log: step.log, result: null, maxTests: step.tests });
    return { variant: last.variant, linesBefore: whole.size.lines };
  }

  private async keepsFault(candidate: ContentRef): Promise<boolean> {
    const { claim, subject, expectedRate } = this.stage;
    const checked = await core.checkCandidate({ candidate, claim, subject: subject.subject });
    if (checked.rejected !== null) return false;
    const bundle = await freeze(this.stage, candidate);
    const states: ProbeResult['state'][] = [];
    for (;;) {
      const trial = await runFinished(() => this.runTrial(bundle));
      states.push((await bisection.readProbe({ bundleTree: bundle.bundleTree, trial })).state);
      const weighed = await minimising.weighCut({ states, rate: expectedRate });
      if (weighed !== 'more') return weighed === 'keeps';
    }
  }

  private runTrial(bundle: FrozenBundle): Promise<Trial> {
    const { runId, allowUnsandboxed } = this.request;
    // Trials by which a variant was chosen are no evidence for it: the verification gets fresh ones.
    const series = `${this.request.series}/search`;
    const [arm] = this.stage.arms;
    if (arm === undefined) throw new Error('a bundle has a candidate arm');
    const index = this.trialIndex++;
    return jobs.runTrial.executeWithOptions({ summary: `variant, trial ${index + 1}` }, [
      { ...bundle, runId, arm, series, index, allowUnsandboxed },
    ]);
  }
}

function freeze(stage: Stage, candidate: ContentRef): Promise<FrozenBundle> {
  const { claim, subject, environment, arms, patch, measured } = stage;
  return core.freezeBundle({ candidate, claim, subject: subject.subject, environment: environment.environment, arms, patch, measured });
}

/** The smallest variant is verified with all its controls; where it does not hold, the whole one is, and ships in its place. */
async function verifySmallest(
  request: MinimiseRequest,
  stage: Stage,
  found: Smallest,
  story: Story,
): Promise<{ record: AttemptRecord; lines: number }> {
  const { candidate } = stage;
  const smallest = await minimising.applyCut({ candidate, variant: found.variant });
  const record = await replayAttempt(request, { bundle: await freeze(stage, smallest.candidate), arms: stage.arms }, story);
  const isWhole = found.variant.removed.length + found.variant.numbers.length + found.variant.ranks.length === 0;
  if (isWhole || endsSearch(record.result)) return { record, lines: smallest.size.lines };
  await story.tell('verify', `the smaller one is ${record.result}: ${record.note}; taking the whole one`);
  const whole = await minimising.applyCut({ candidate, variant: WHOLE });
  const again = { bundle: await freeze(stage, whole.candidate), arms: stage.arms, candidatesVerified: 2 };
  return { record: await replayAttempt(request, again, story), lines: whole.size.lines };
}
