import type { ArmPlan, ContentRef, FrozenBundle, JudgedTrials, Trial, TrialPlan } from '@reenact/domain';
import { core, jobs } from './policies.js';

export interface VerifyInput {
  runId: string;
  bundle: FrozenBundle;
  arms: ArmPlan[];
  findings: ContentRef | null;
  scope: 'script' | 'run';
  series: string;
  candidatesVerified: number;
  allowUnsandboxed: boolean;
  onProgress: (message: string) => Promise<void>;
}

export interface Verified {
  judged: JudgedTrials;
  trials: Trial[];
  /** The trial that told what ran, where neither fix nor report names a suspect. */
  coverage: Trial | null;
}

/**
 * Runs trials until the judge has seen enough. The planner behind `judgeTrials` decides what runs next; this loop only
 * carries it out, and at last runs what may explain the answer. The tripwire is built once the candidate has shown the
 * signal, since only then it can matter.
 */
export async function verifyBundle(input: VerifyInput): Promise<Verified> {
  const arms = [...input.arms, ...bundledArms(input)];
  const trials: Trial[] = [];
  let tripwireNote: string | null = null;
  let coverage: Trial | null = null;
  for (;;) {
    const judged = await core.judgeTrials({
      bundleTree: input.bundle.bundleTree,
      arms,
      trials,
      findings: input.findings,
      scope: input.scope,
      candidatesVerified: input.candidatesVerified,
      tripwireNote,
    });
    if (judged.done && judged.diagnosis === undefined) return { judged, trials, coverage };
    if (judged.next.some((plan) => plan.arm === 'tripwire') && !arms.some((arm) => arm.arm === 'tripwire')) {
      const built = await buildTripwire(input, arms);
      tripwireNote = built.note;
      coverage = built.coverage;
      if (built.arm !== null) arms.push(built.arm);
      continue;
    }
    const next = judged.done ? (judged.diagnosis ?? []) : judged.next;
    await input.onProgress(describe(next));
    trials.push(...(await Promise.all(next.map((plan) => runPlanned(input, arms, plan)))));
  }
}

/** Arms that the bundle itself brings: the candidate without its trigger, or with a proposed function. */
function bundledArms({ arms, bundle }: VerifyInput): ArmPlan[] {
  const candidate = arms.find((arm) => arm.arm === 'candidate');
  if (candidate === undefined) return [];
  return (bundle.controls ?? []).map(({ arm, label, treeHash }) => ({
    ...candidate,
    arm,
    label,
    treeHash: treeHash ?? candidate.treeHash,
  }));
}

async function buildTripwire(input: VerifyInput, arms: ArmPlan[]): Promise<{ arm: ArmPlan | null; note: string; coverage: Trial | null }> {
  const request = { bundleTree: input.bundle.bundleTree, arms, series: input.series };
  const first = await core.prepareTripwire({ ...request, coverage: null });
  if (!first.needsCoverage) return { ...first, coverage: null };
  const coverage = await runPlanned(input, arms, { arm: 'coverage', index: 0 });
  return { ...(await core.prepareTripwire({ ...request, coverage })), coverage };
}

function runPlanned(input: VerifyInput, arms: ArmPlan[], plan: TrialPlan): Promise<Trial> {
  const isCloserLook = plan.arm === 'coverage' || plan.arm === 'diagnosis';
  const source = isCloserLook ? (plan.of ?? 'candidate') : plan.arm;
  const arm = arms.find((one) => one.arm === source);
  if (arm === undefined) throw new Error(`the planner asked for an arm that was not prepared: ${plan.arm}`);
  return jobs.runTrial.executeWithOptions(
    { summary: `${plan.arm} ${plan.index + 1}${plan.lever === undefined ? '' : `, ${plan.lever.kind} ${plan.lever.value}`}` },
    [
      {
        runId: input.runId,
        bundleTree: input.bundle.bundleTree,
        bundleId: input.bundle.bundleId,
        arm: isCloserLook ? { ...arm, arm: plan.arm } : arm,
        series: input.series,
        index: plan.index,
        ...(plan.lever === undefined ? {} : { lever: plan.lever }),
        allowUnsandboxed: input.allowUnsandboxed,
      },
    ],
  );
}

function describe(plans: TrialPlan[]): string {
  const counts = new Map<string, number>();
  for (const { arm, lever } of plans) {
    const name = lever === undefined ? arm : `${arm} with ${lever.kind} ${lever.value}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return `running ${[...counts].map(([arm, count]) => `${count} × ${arm}`).join(', ')}`;
}
