import { isCancellation } from '@temporalio/workflow';
import type {
  ArmPlan,
  BisectionPoint,
  BisectionStatus,
  BisectRequest,
  PreparedEnvironment,
  PreparedSubject,
  ProbeResult,
} from '@reenact/domain';
import { rootFailure, tellFailure } from './ending.js';
import { bisection, core, environments, jobs, subjects } from './policies.js';
import { armOf } from './prepare.js';
import { runFinished } from './run-finished.js';
import { Story } from './story.js';

/** How often a point without the fault is taken to seem to have it: the oracles' own bound (verdict.md section 4, α = 0.01). */
const FALSELY_SHOWN = 0.01;
/** Failures that belong to a point: it cannot be built, and the search goes around it. */
const UNBUILDABLE: ReadonlySet<string> = new Set([
  'subject-not-found',
  'subject-revision-not-found',
  'environment-unsolvable',
  'interpreter-not-found',
]);

export interface BisectResult {
  status: BisectionStatus;
  sentence: string;
}

/** Finds the first point of a history at which a stored bundle shows its fault: one trial after the other, same oracle. */
export async function bisectBundleWorkflow(request: BisectRequest): Promise<BisectResult> {
  const story = new Story(request.runId, request.title, 'bisect');
  try {
    return await bisect(request, story);
  } catch (error) {
    await tellFailure(error, story);
    throw error;
  }
}

async function bisect(request: BisectRequest, story: Story): Promise<BisectResult> {
  const startedAtMilliseconds = Date.now();
  await story.tell('intake', 'reading the bundle');
  const opened = await core.openBundle({ bundleTree: request.bundleTree });
  const { points } = await bisection.listBisectionPoints({ axis: request.axis, python: request.python });
  await story.tell('plan', `${points.length} points from ${points[0]?.label} to ${points.at(-1)?.label}`);
  const rates = { shown: request.rate ?? opened.expectedRate, falselyShown: FALSELY_SHOWN };
  const results: ProbeResult[] = [];
  const bench = new Bench(request, opened);
  for (;;) {
    const step = await bisection.planProbe({ points: points.length, rates, results, maxTrials: request.maxTrials });
    if (step.done) {
      const seconds = (Date.now() - startedAtMilliseconds) / 1000;
      const { runId, axis } = request;
      const published = await bisection.publishBisection({
        ...{ runId, axis, points, rates, results, seconds },
        bundleId: opened.bundleId,
        conclusion: step.conclusion,
      });
      await story.tell('done', published.sentence, { state: 'done' });
      return published;
    }
    const point = points[step.point];
    if (point === undefined) throw new Error(`the search asked for a point that there is not: ${step.point}`);
    const before = results.filter((result) => result.point === step.point).length;
    const said = await bench.probe(point, before);
    results.push({ point: step.point, phase: step.phase, ...said });
    await story.tell('verify', `${point.label}: ${said.state}${said.reason === undefined ? '' : ` (${said.reason})`}`);
  }
}

type Opened = Awaited<ReturnType<typeof core.openBundle>>;

/** Builds what a point needs, once, and runs the bundle there. */
class Bench {
  private readonly arms = new Map<string, ArmPlan>();
  private trialIndex = 0;

  constructor(
    private readonly request: BisectRequest,
    private readonly opened: Opened,
  ) {}

  async probe(point: BisectionPoint, before: number): Promise<Pick<ProbeResult, 'state' | 'reason'>> {
    const arm = await this.armAt(point).catch((error: unknown) => skippedBy(error));
    if ('reason' in arm) return arm;
    const { runId, bundleTree, series, allowUnsandboxed } = this.request;
    const trial = await runFinished(() =>
      jobs.runTrial.executeWithOptions({ summary: `${point.label}, trial ${before + 1}` }, [
        { runId, bundleTree, bundleId: this.opened.bundleId, arm, series, index: this.trialIndex++, allowUnsandboxed },
      ]),
    );
    return bisection.readProbe({ bundleTree, trial });
  }

  private async armAt(point: BisectionPoint): Promise<ArmPlan> {
    const known = this.arms.get(point.value);
    if (known !== undefined) return known;
    const subject = await this.subjectAt(point);
    const arm = armOf('candidate', subject.treeHash, await this.environmentAt(point, subject), point.label);
    this.arms.set(point.value, arm);
    return arm;
  }

  private subjectAt(point: BisectionPoint): Promise<PreparedSubject> {
    const { axis, runId } = this.request;
    const { address, treeHash } = this.opened;
    const stored = { runId, address: address ?? { type: 'folder' as const, path: '' }, treeHash, reportDate: null };
    if (axis.type === 'git')
      return subjects.prepareSubject({ ...stored, address: { type: 'git', url: axis.url, revision: point.value }, treeHash: null });
    if (axis.type === 'distribution' && address?.type === 'distribution' && isOf(address.name, axis.name))
      return subjects.prepareSubject({ ...stored, address: { ...address, version: point.value }, treeHash: null });
    return subjects.prepareSubject(stored);
  }

  /** The bundle's lock holds for its own point; where it fits no other one, the names without their versions have to do. */
  private async environmentAt(point: BisectionPoint, subject: PreparedSubject): Promise<PreparedEnvironment> {
    const { axis } = this.request;
    const given = this.request.requirements.length > 0 ? this.request.requirements : this.opened.requirements;
    const others = axis.type === 'distribution' ? given.filter((line) => !isOf(line, axis.name)) : given;
    const own = axis.type === 'distribution' ? [`${axis.name}==${point.value}`] : [];
    try {
      return await this.build(point, subject, [...others, ...own]);
    } catch (error) {
      if (axis.type === 'git' || rootFailure(error).type !== 'environment-unsolvable') throw error;
      return this.build(point, subject, [...others.map((line) => line.replace(/==.*$/, '')), ...own]);
    }
  }

  private build(point: BisectionPoint, subject: PreparedSubject, requirements: string[]): Promise<PreparedEnvironment> {
    const { axis, runId, python } = this.request;
    return environments.buildEnvironment({
      runId,
      python: axis.type === 'python' ? point.value : python,
      requirements,
      report: null,
      treeHash: subject.treeHash,
      // other versions are built, also where an interpreter was named: that one has but one of them
      role: axis.type === 'distribution' ? 'good' : 'candidate',
    });
  }
}

/** Whether a requirement line names a distribution; case and separators do not count (PEP 503). */
function isOf(line: string, name: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[-_.]+/g, '-');
  return plain(/^[A-Za-z0-9._-]+/.exec(line)?.[0] ?? '') === plain(name);
}

/** @throws the error itself where it is not the point's fault. */
function skippedBy(error: unknown): { state: 'skip'; reason: string } {
  const failure = rootFailure(error);
  if (isCancellation(error) || !UNBUILDABLE.has(failure.type)) throw error;
  return { state: 'skip', reason: failure.message };
}
