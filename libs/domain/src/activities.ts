import type { FixedAddress, RunRequest } from './requests.js';
import type { Arm, Budget, ContentRef, ContextRanking, Lever, MeasuredRate, SubjectAddress, Trial, VerdictState } from './schemas/index.js';

/** Model usage of one activity, added up by the workflow. */
export interface Usage {
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
  /** null = the price is not known. */
  costUsd: number | null;
}

/** A line of the run's story: shown live, in `logs`, and in the Temporal UI. */
export interface StoryLine {
  runId: string;
  /** Unique within the run, so that a repeated activity tells it once. */
  key: string;
  phase: Phase;
  message: string;
  state?: 'running' | 'done' | 'failed' | 'cancelled';
  verdict?: VerdictState;
}

export type Phase =
  'intake' | 'claim' | 'subject' | 'environment' | 'index' | 'retrieve' | 'plan' | 'attempt' | 'verify' | 'publish' | 'done';

/** One arm of the experiment, ready to run. */
export interface ArmPlan {
  arm: Arm;
  treeHash: string;
  environment: ContentRef;
  environmentId: string;
  label: string;
  sentinel: string | null;
}

export interface PreparedSubject {
  treeHash: string;
  subject: ContentRef;
  summary: string;
}

/** The fixed form of a subject, and what it changes. */
export interface PreparedFixed {
  treeHash: string;
  label: string;
  /** Unified diff from candidate to fixed tree; null where the trees are equal. */
  patch: ContentRef | null;
}

export interface PreparedEnvironment {
  environment: ContentRef;
  id: string;
  summary: string;
}

/** A claim in the store, and the little of it that steers the workflow. */
export interface PreparedClaim {
  claim: ContentRef;
  title: string;
  liveFacets: number;
  /** Live facets that some oracle can decide; with none of these nothing can be proven. */
  decidableFacets: number;
  missing: string[];
  /** What was not done for want of a model. */
  skipped: string[];
  usage: Usage;
}

export interface ProposedCandidate {
  candidate: ContentRef;
  id: string;
  origin: string;
  summary: string;
  /** The idea behind a model's script, in one sentence. */
  idea?: string;
  /** Oracles of its proposal that were refused, and facets that stay without a check. */
  notes?: string[];
}

export interface CheckedCandidate {
  findings: ContentRef;
  /** Why it is not worth a run, such as a syntax error; null = run it. */
  rejected: string | null;
}

export interface FrozenBundle {
  bundleId: string;
  bundleTree: string;
  /** Controls that the bundle itself brings; absent = none. */
  controls?: BundledControl[];
}

/** A control arm that is made of the candidate arm. */
export interface BundledControl {
  arm: 'trigger' | 'sabotage';
  label: string;
  /** The changed tree; null = the candidate's. */
  treeHash: string | null;
}

export interface TrialPlan {
  arm: Arm;
  index: number;
  /** The arm that a diagnosis looks at; absent = the candidate. */
  of?: Arm;
  lever?: Lever;
}

/** What the judge says after each batch of trials. */
export interface JudgedTrials {
  done: boolean;
  next: TrialPlan[];
  /** The judgement so far, in the store. */
  judgement: ContentRef;
  state: VerdictState;
  sentence: string;
  /** Equal for attempts that brought the same; used to stop when nothing new comes. */
  signature: string;
  /** Trials to run before the end: they explain what was seen and decide nothing; absent = none. */
  diagnosis?: TrialPlan[];
  /** The signal is there, and a control is all that it lacks. */
  wantsControl?: boolean;
}

export interface AttemptRecord {
  context: number;
  attempt: number;
  candidate: ContentRef;
  candidateId: string;
  origin: string;
  result: string;
  note: string;
  judgement: ContentRef | null;
  bundle: FrozenBundle | null;
  evidence: ContentRef | null;
  signature: string;
  /** Ids of all trials that its judgement rests on; absent in runs that began before this was kept. */
  trials?: string[];
  /** Idea and refused oracles of a model's candidate (`ProposedCandidate`). */
  idea?: string;
  notes?: string[];
}

export interface CoreActivities {
  readReport(input: {
    runId: string;
    report: ContentRef;
  }): Promise<{ report: ContentRef; title: string; digest: string; date: string | null }>;
  recordStory(line: StoryLine): Promise<void>;
  proposeDeterministic(input: {
    report: ContentRef;
    claim: ContentRef;
    treeHash: string;
    limits: RunRequest['limits'];
  }): Promise<{ candidates: ProposedCandidate[] }>;
  /** Wraps a script given from outside as a candidate and binds its oracles to the claim. */
  adoptScript(input: {
    script: { name: string; text: ContentRef };
    claim: ContentRef;
    oracles: ContentRef | null;
    limits: RunRequest['limits'];
  }): Promise<{
    candidate: ProposedCandidate;
    claim: ContentRef;
  }>;
  repairCandidate(input: { candidate: ContentRef; evidence: ContentRef; treeHash: string }): Promise<ProposedCandidate | null>;
  checkCandidate(input: { candidate: ContentRef; claim: ContentRef; subject: ContentRef }): Promise<CheckedCandidate>;
  freezeBundle(input: {
    candidate: ContentRef;
    claim: ContentRef;
    subject: ContentRef;
    environment: ContentRef;
    arms: ArmPlan[];
    /** Difference between candidate and fixed tree, stored as a control of the bundle. */
    patch: ContentRef | null;
    /** A patch that puts a correct version in the place of suspected functions; absent = none was proposed. */
    sabotage?: ContentRef;
    /** What an earlier series of the same fault saw; absent = none was. */
    measured?: MeasuredRate | null;
  }): Promise<FrozenBundle>;
  /** Turns proposed functions into a patch of the subject, or says why they cannot be used. */
  prepareSabotage(input: {
    bundleTree: string;
    treeHash: string;
    coverage: Trial | null;
    functions: ContentRef;
  }): Promise<{ patch: ContentRef | null; reason: string }>;
  /** Builds the tripwire arm, or says why there is none. `coverage` names the trial whose coverage tells what ran. */
  prepareTripwire(input: {
    bundleTree: string;
    arms: ArmPlan[];
    coverage: Trial | null;
    series: string;
  }): Promise<{ arm: ArmPlan | null; needsCoverage: boolean; note: string }>;
  judgeTrials(input: {
    bundleTree: string;
    arms: ArmPlan[];
    trials: Trial[];
    findings: ContentRef | null;
    scope: 'script' | 'run';
    /** Candidates verified in this run so far: α is divided by it. */
    candidatesVerified: number;
    tripwireNote: string | null;
  }): Promise<JudgedTrials>;
  /** Writes an attempt's script, output and judgement into the run's folder as soon as it is over. */
  recordAttempt(input: { runId: string; attempt: AttemptRecord }): Promise<void>;
  /** Folds everything into the run's verdict, writes the run's folder, and `verdict.json` last. */
  publish(input: {
    runId: string;
    title: string;
    /** The report as it was read; absent where there is none, as in a replay. */
    report?: ContentRef;
    claim: ContentRef | null;
    environment: ContentRef | null;
    attempts: AttemptRecord[];
    /** Set where the run ended before or without an attempt. */
    ended: { state: VerdictState; reason: string } | null;
    scope: 'script' | 'run';
    usage: Usage;
    skipped: string[];
    /** By what the contexts were chosen; absent where none was. */
    ranking?: ContextRanking;
    startedAtMilliseconds: number;
    /** Taken by the workflow, so that a repeated publishing writes the very same verdict. */
    endedAtMilliseconds: number;
  }): Promise<{ verdict: VerdictState; sentence: string; exitStatus: number }>;
  /** The static checks of a stored bundle, and its script as a candidate. */
  checkBundle(input: {
    bundleTree: string;
    treeHash: string;
  }): Promise<{ findings: ContentRef; candidate: ContentRef; controls?: BundledControl[] }>;
  /** What a stored bundle asks for: its subject, its requirements, its patches as controls. */
  openBundle(input: { bundleTree: string }): Promise<{
    bundleId: string;
    treeHash: string;
    address: SubjectAddress | null;
    requirements: string[];
    claim: ContentRef;
    patches: ContentRef[];
    /** How often the fault is to be reckoned with, in (0, 1]: as measured before, else as the report says. */
    expectedRate: number;
    measured: MeasuredRate | null;
  }>;
}

export interface SubjectActivities {
  prepareSubject(input: {
    runId: string;
    address: SubjectAddress;
    treeHash: string | null;
    reportDate: string | null;
  }): Promise<PreparedSubject>;
  prepareFixed(input: {
    runId: string;
    subject: PreparedSubject;
    fixed: FixedAddress;
    treeHash: string | null;
    reportDate: string | null;
  }): Promise<PreparedFixed>;
  retrieveContexts(input: {
    report: ContentRef;
    claim: ContentRef;
    treeHash: string;
    /** The candidate's environment; runs that began under an older version have none here. */
    environment?: ContentRef;
  }): Promise<{
    contexts: { context: ContentRef; rank: number; summary: string }[];
    /** Absent in runs that began before it was told. */
    ranking?: ContextRanking;
  }>;
}

export interface EnvironmentActivities {
  buildEnvironment(input: {
    runId: string;
    python: string | null;
    requirements: string[];
    report: ContentRef | null;
    treeHash: string | null;
    role: 'candidate' | 'good';
  }): Promise<PreparedEnvironment>;
}

/** Which model a run may ask, and how much. */
export interface ModelUse {
  enabled: boolean;
  budget: Budget;
  /** Folder into which calls are recorded, or from which they are replayed; absolute. */
  record: string | null;
  replay: string | null;
}

/** Why a model gave nothing: a value, so that the loop goes on without it. */
export interface NotProposed {
  status: 'skipped' | 'invalid' | 'budget';
  reason: string;
  usage: Usage;
}

/** What the model's activities have in common; content by reference. */
export interface ModelInput {
  runId: string;
  model: ModelUse;
  report: ContentRef;
  claim: ContentRef;
  context: ContentRef | null;
  treeHash: string;
  memory: ContentRef | null;
  /** What people said about this run while it went on, oldest first; absent = nothing. */
  hints?: string[];
}

/** The attempt before, for a real refinement: its script, what it printed, what was found. */
export interface PreviousAttempt {
  candidate: ContentRef;
  earlierCandidate: ContentRef | null;
  evidence: ContentRef | null;
  judgement: ContentRef | null;
  /** The claim with the oracles that this attempt was judged by. */
  claim?: ContentRef;
  /** What came of it in words: the sentence of the judgement or why it was rejected, then refused oracles. */
  notes?: string[];
}

/** Activities that may ask a model. `usage` is always what the whole run has used so far. */
export interface ModelActivities {
  /** The claim by rules, refined by a model where one may be asked. */
  restructureReport(input: { runId: string; model: ModelUse; report: ContentRef; treeHash: string }): Promise<PreparedClaim>;
  planReproduction(input: ModelInput): Promise<{ status: 'done'; plan: ContentRef; memory: ContentRef; usage: Usage } | NotProposed>;
  /** The next script: a first one, or one that learns from the attempt before. */
  proposeCandidate(
    input: ModelInput & { plan: ContentRef | null; previous: PreviousAttempt | null; hints: string[]; limits: RunRequest['limits'] },
  ): Promise<{ status: 'done'; candidate: ProposedCandidate; claim: ContentRef; memory: ContentRef | null; usage: Usage } | NotProposed>;
  /** Correct versions of the functions that a bundle suspects, or else of those that ran, for a control; never judged by the model itself. */
  proposeSabotage(
    input: ModelInput & { bundleTree: string; coverage: Trial | null },
  ): Promise<{ status: 'done'; functions: ContentRef; summary: string; usage: Usage } | NotProposed>;
  /** Adds an attempt's outcome to the memory that goes along to the next attempt and context. */
  rememberAttempt(input: { memory: ContentRef | null; attempt: AttemptRecord }): Promise<{ memory: ContentRef; bringsNothingNew: boolean }>;
}

export interface JobActivities {
  runTrial(input: {
    runId: string;
    bundleTree: string;
    bundleId: string;
    arm: ArmPlan;
    series: string;
    index: number;
    lever?: Lever;
    allowUnsandboxed: boolean;
  }): Promise<Trial>;
}

/** What one sweep through the executions of a cluster did. */
export interface SweepReport {
  /** Executions, and objects without one, that were deleted. */
  removed: number;
  /** Executions that somebody may still want. */
  kept: number;
  /** What a person should look at; at most 20 and a line with the number of the rest. */
  findings: string[];
}

export interface MaintenanceActivities {
  /** Deletes executions that nobody needs any more; without a cluster there are none. */
  sweepExecutions(): Promise<SweepReport>;
}

export type { RunRequest };
