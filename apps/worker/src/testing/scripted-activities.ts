import { AppError, NO_USAGE, QUEUES } from '@reenact/domain';
import type {
  Arm,
  AttemptRecord,
  BisectionActivities,
  BisectionConclusion,
  CoreActivities,
  CutVariant,
  EnvironmentActivities,
  ErrorCode,
  JobActivities,
  MinimiseActivities,
  ModelActivities,
  SubjectActivities,
  Trial,
  VerdictState,
} from '@reenact/domain';
import { nextProbe } from '@reenact/verdict';
import { withHeartbeat } from '@reenact/temporal/worker';
import type { ActivityMap } from '@reenact/temporal/worker';

/** What scripted activities answer, and what they were asked. */
export interface Script {
  /** Ids of the portfolio's candidates. */
  portfolio: string[];
  contexts: number;
  /** State that the judge gives to a candidate; the default is `not_shown`. */
  verdicts: Record<string, VerdictState>;
  liveFacets: number;
  /** Code of the error with which the environment cannot be had. */
  environmentError?: ErrorCode;
  /** First commit of a history `c0` … `c20` that shows the fault, for bisections. */
  firstBad: number;
  /** Lines of a bundle's script, and how many of them the fault needs, for minimisations. */
  lines: number;
  neededLines: number;
  /** Commits that cannot be had. */
  lost: string[];
  /** Milliseconds that a trial takes; a cancelled one ends at once. */
  trialMilliseconds: number;
}

export interface Asked {
  stories: string[];
  trials: string[];
  proposals: { context: number; hints: string[]; memory: string | null }[];
  attempts: AttemptRecord[];
  conclusions: BisectionConclusion[];
  published: { ended: { state: VerdictState; reason: string } | null; attempts: number }[];
}

export const PLAIN_SCRIPT: Script = {
  portfolio: [],
  contexts: 0,
  verdicts: {},
  liveFacets: 1,
  trialMilliseconds: 0,
  firstBad: 7,
  lines: 4,
  neededLines: 2,
  lost: [],
};

/** Activities of every queue that answer from a script: workflows run for real, nothing else does. */
export function scriptedActivities(script: Script): { asked: Asked; activities: Partial<Record<string, ActivityMap>> } {
  const asked: Asked = { stories: [], trials: [], proposals: [], attempts: [], conclusions: [], published: [] };
  return {
    asked,
    activities: {
      [QUEUES.core]: { ...scriptedCore(script, asked), ...scriptedBisection(script, asked), ...scriptedMinimising(script) },
      [QUEUES.index]: { ...scriptedSubjects(script) },
      [QUEUES.environments]: { ...scriptedEnvironments(script) },
      [QUEUES.llm]: { ...scriptedModels(script, asked) },
      [QUEUES.jobsCpu]: { ...scriptedJobs(script, asked) },
    } as Partial<Record<string, ActivityMap>>,
  };
}

const OPENED_BUNDLE: Awaited<ReturnType<CoreActivities['openBundle']>> = {
  bundleId: 'b',
  treeHash: 't',
  address: null,
  requirements: [],
  claim: 'claim',
  patches: ['p'],
  expectedRate: 1,
  measured: null,
};

function scriptedCore(script: Script, asked: Asked): CoreActivities {
  const candidate = (id: string) => ({ candidate: id, id, origin: 'entry-point', summary: id });
  return {
    readReport: ({ report }) => Promise.resolve({ report, title: 'a report', digest: 'd', date: null }),
    async recordStory(line) {
      await Promise.resolve();
      asked.stories.push(`${line.phase}: ${line.message}${line.state === undefined ? '' : ` [${line.state}]`}`);
    },
    proposeDeterministic: () => Promise.resolve({ candidates: script.portfolio.map(candidate) }),
    adoptScript: ({ script: given, claim }) => Promise.resolve({ candidate: candidate(given.name), claim }),
    repairCandidate: () => Promise.resolve(null),
    checkCandidate: () => Promise.resolve({ findings: 'none', rejected: null }),
    checkBundle: () => Promise.resolve({ findings: 'none', candidate: 'bundled' }),
    freezeBundle: ({ candidate: id, sabotage }) =>
      Promise.resolve(
        sabotage === undefined
          ? { bundleId: id, bundleTree: id }
          : { bundleId: id, bundleTree: `${id}+control`, controls: [{ arm: 'sabotage', label: 'replaced', treeHash: 'changed' }] },
      ),
    prepareSabotage: () => Promise.resolve({ patch: 'sabotage', reason: '' }),
    prepareTripwire: ({ arms }) => {
      const [first] = arms;
      return Promise.resolve({
        arm: first === undefined ? null : { ...first, arm: 'tripwire' as const },
        needsCoverage: false,
        note: 'wired',
      });
    },
    judgeTrials: ({ bundleTree, trials, arms }) => {
      // A control that was looked for and told nothing leaves the verdict as it was.
      const state = script.verdicts[bundleTree] ?? script.verdicts[bundleTree.replace('+control', '')] ?? 'not_shown';
      const asks: Arm[] = state.startsWith('reproduced')
        ? ['tripwire', ...arms.map(({ arm }) => arm).filter((arm) => arm === 'sabotage')]
        : [];
      const missing = asks.filter((arm) => !trials.some((trial) => trial.arm === arm));
      const next = trials.length === 0 ? ['candidate' as const] : missing;
      return Promise.resolve({
        done: next.length === 0,
        next: next.map((arm) => ({ arm, index: 0 })),
        judgement: 'judgement',
        state,
        sentence: state,
        signature: bundleTree,
        wantsControl: next.length === 0 && state === 'reproduced_uncontrolled',
      });
    },
    async recordAttempt({ attempt }) {
      await Promise.resolve();
      asked.attempts.push(attempt);
    },
    publish: ({ ended, attempts }) => {
      asked.published.push({ ended, attempts: attempts.length });
      const verdict = ended?.state ?? (attempts.at(-1)?.result as VerdictState | undefined) ?? 'inconclusive';
      return Promise.resolve({ verdict, sentence: verdict, exitStatus: 0 });
    },
    openBundle: () => Promise.resolve(OPENED_BUNDLE),
  };
}

function scriptedBisection(script: Script, asked: Asked): BisectionActivities {
  return {
    listBisectionPoints: () =>
      Promise.resolve({ points: Array.from({ length: 21 }, (_, index) => ({ value: `c${index}`, label: `commit ${index}` })) }),
    planProbe: (state) => Promise.resolve(nextProbe(state)),
    readProbe({ bundleTree, trial }) {
      const lines = /^of-(\d+)-lines$/.exec(bundleTree)?.[1];
      const shows = lines === undefined ? Number(trial.treeHash.slice(1)) >= script.firstBad : Number(lines) >= script.neededLines;
      return Promise.resolve({ state: shows ? 'shown' : 'absent' });
    },
    publishBisection({ conclusion }) {
      asked.conclusions.push(conclusion);
      return Promise.resolve({ status: conclusion.status, sentence: conclusion.status });
    },
  };
}

/** Variants take out one more line each; a variant is named by what is left. */
function scriptedMinimising(script: Script): MinimiseActivities {
  const linesOf = (variant: CutVariant) => script.lines - variant.removed.length;
  return {
    planCut({ log, result, maxTests }) {
      const tests = log === null ? 0 : Number(log) + (result === null ? 0 : 1);
      const before = result === null || result.keeps ? (result?.variant.removed ?? []) : result.variant.removed.slice(0, -1);
      const done = result?.keeps === false || tests >= maxTests || before.length === script.lines;
      const variant = { removed: done ? before : [...before, before.length], numbers: [], ranks: [] };
      return Promise.resolve({ done, variant, log: String(tests), tests });
    },
    applyCut: ({ variant }) => Promise.resolve({ candidate: `of-${linesOf(variant)}-lines`, size: { lines: linesOf(variant) } }),
    weighCut: ({ states }) => Promise.resolve(states[0] === 'shown' ? 'keeps' : 'lost'),
  };
}

function scriptedSubjects(script: Script): SubjectActivities {
  return {
    async prepareSubject({ address }) {
      await Promise.resolve();
      const treeHash = address.type === 'git' ? (address.revision ?? 't') : 't';
      if (script.lost.includes(treeHash)) throw new AppError('subject-revision-not-found', `${treeHash} is lost`);
      return { treeHash, subject: 'subject', summary: 'subject' };
    },
    prepareFixed: () => Promise.resolve({ treeHash: 'fixed', label: 'fixed', patch: 'p' }),
    retrieveContexts: () =>
      Promise.resolve({
        contexts: Array.from({ length: script.contexts }, (_, index) => ({
          context: `context-${index + 1}`,
          rank: index + 1,
          summary: 'context',
        })),
        ranking: { engine: 'scripted', chunks: script.contexts, embedder: null, reranker: null },
      }),
  };
}

function scriptedEnvironments({ environmentError }: Script): EnvironmentActivities {
  if (environmentError !== undefined) return { buildEnvironment: () => Promise.reject(new AppError(environmentError, 'there is none')) };
  return { buildEnvironment: () => Promise.resolve({ environment: 'environment', id: 'e', summary: 'environment' }) };
}

function scriptedModels(script: Script, asked: Asked): ModelActivities {
  let proposals = 0;
  return {
    restructureReport: () =>
      Promise.resolve({
        claim: 'claim',
        title: 'a report',
        liveFacets: script.liveFacets,
        decidableFacets: script.liveFacets,
        missing: [],
        skipped: [],
        usage: NO_USAGE,
      }),
    planReproduction: ({ memory }) => Promise.resolve({ status: 'done', plan: 'plan', memory: memory ?? 'memory-0', usage: NO_USAGE }),
    proposeCandidate: ({ context, hints, memory, claim }) => {
      const rank = Number(context?.split('-')[1] ?? 0);
      asked.proposals.push({ context: rank, hints: [...hints], memory });
      const id = `generated-${(proposals += 1)}`;
      return Promise.resolve({
        status: 'done',
        candidate: { candidate: id, id, origin: 'generated', summary: id },
        claim,
        memory: null,
        usage: { ...NO_USAGE, modelCalls: proposals, inputTokens: 100 * proposals },
      });
    },
    proposeSabotage: ({ bundleTree }) =>
      Promise.resolve({ status: 'done', functions: `functions of ${bundleTree}`, summary: 'an off-by-one', usage: NO_USAGE }),
    rememberAttempt: ({ attempt }) => Promise.resolve({ memory: `memory-after-${attempt.candidateId}`, bringsNothingNew: false }),
  };
}

function scriptedJobs(script: Script, asked: Asked): JobActivities {
  return {
    async runTrial(input) {
      asked.trials.push(`${input.bundleId}/${input.arm.arm}/${input.index}`);
      await pause(script.trialMilliseconds);
      return { ...trialOf(input.bundleId, input.arm.arm, input.index), treeHash: input.arm.treeHash };
    },
  };
}

async function pause(milliseconds: number): Promise<void> {
  if (milliseconds === 0) return;
  await withHeartbeat(
    ({ signal }) =>
      new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, milliseconds);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(signal.reason as Error);
        });
      }),
    { everySeconds: 0.2 },
  );
}

function trialOf(bundleId: string, arm: Trial['arm'], index: number): Trial {
  return {
    schemaVersion: 1,
    id: `${bundleId}-${arm}-${index}`,
    bundleId,
    environmentId: 'e',
    arm,
    treeHash: 't',
    index,
    outcome: 'finished',
    infraReason: null,
    evidence: null,
    sentinel: null,
    seconds: 0,
    overheadSeconds: 0,
  };
}
