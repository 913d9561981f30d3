import type { ChunkPlace } from './search.js';
import type {
  Arm,
  Context,
  ContextRanking,
  Environment,
  EvidenceRecord,
  Launch,
  ModelCall,
  ProbePart,
  Trial,
  Verdict,
} from './schemas/index.js';

/** Bytes and trees by content. Every write is idempotent: equal content, equal reference. */
export interface ArtifactStore {
  putBytes(bytes: Uint8Array): Promise<string>;
  putFile(path: string): Promise<string>;
  /** @throws AppError `internal` when the content is not there. */
  getBytes(ref: string): Promise<Uint8Array>;
  has(ref: string): Promise<boolean>;
  /** Absolute path of the content for reading; never to be written. */
  pathOf(ref: string): string;
  /** Stores a directory (regular files and inner links) and returns its tree hash. */
  putTree(directory: string): Promise<string>;
  hasTree(treeHash: string): Promise<boolean>;
  /** Writes a private, writable copy of a tree to an empty or absent directory. */
  checkoutTree(treeHash: string, directory: string): Promise<void>;
}

export interface RunRow {
  runId: string;
  workflowId: string;
  title: string;
  phase: string;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  verdict: string | null;
  createdAt: string;
  updatedAt: string;
  folder: string;
}

/** One line of a run's story, append-only. */
export interface RunEvent {
  sequence: number;
  at: string;
  phase: string;
  message: string;
  data?: Record<string, unknown>;
}

/** Runs, their events, trials and model calls. Upserts by key: a repeated activity leaves one record. */
export interface RunStore {
  upsertRun(row: RunRow): Promise<void>;
  getRun(runIdOrPrefix: string): Promise<RunRow | null>;
  listRuns(limit: number): Promise<RunRow[]>;
  /** `key` makes the event unique within the run. */
  appendEvent(runId: string, key: string, event: Omit<RunEvent, 'sequence'>): Promise<void>;
  listEvents(runId: string, after: number): Promise<RunEvent[]>;
  /** The first finished execution of a trial stays: what was judged once is never replaced. */
  putTrial(trial: Trial): Promise<void>;
  getTrial(id: string): Promise<Trial | null>;
  putVerdict(runId: string, verdict: Verdict): Promise<void>;
  getVerdict(runId: string): Promise<Verdict | null>;
  putModelCall(key: string, runId: string, call: ModelCall): Promise<void>;
  getModelCall(key: string): Promise<ModelCall | null>;
  listModelCalls(runId: string): Promise<ModelCall[]>;
  close(): void;
}

/** Who asks for a trial; places that outlive a process name and label by it what they make. */
export interface TrialOrigin {
  workflowId: string;
  /** Another one for each run of the workflow. */
  runToken: string;
  arm: Arm;
}

/** Everything that a sandbox needs to execute a trial. All paths are absolute and on the machine of the sandbox. */
export interface TrialRequest {
  /** Idempotency key; the same id is never executed twice at the same time. */
  executionId: string;
  origin: TrialOrigin;
  /** The bundle's `script/` folder, read-only for the candidate; may be empty. */
  scriptDirectory: string;
  /** Pristine tree of the arm: the sandbox copies it and hands out the copy. */
  subjectDirectory: string;
  importRoots: string[];
  interpreter: string;
  launch: Launch;
  /** Where `evidence.jsonl` is written (aside and renamed). */
  outputDirectory: string;
  /** Subject files for a coverage trial, relative; null = no coverage. */
  coverage: string[] | null;
  /** Busy processes per processor that run beside the trial; absent = none. */
  load?: number;
  /** Parts of the probe that are switched on; absent = none. */
  probe?: ProbePart[];
  /** Runs without isolation where the system allows none; the evidence says `sandbox: none`. */
  allowUnsandboxed: boolean;
}

export type SandboxOutcome =
  | { outcome: 'finished'; evidencePath: string; seconds: number; overheadSeconds: number }
  | { outcome: 'infra' | 'cancelled'; reason: string };

export interface SandboxProgress {
  seconds: number;
  lastLine: string;
}

/** Runs a trial and records evidence. It never judges. */
export interface Sandbox {
  readonly kind: string;
  /** What isolation this machine gives; empty list = none. */
  isolation(): Promise<string[]>;
  execute(
    request: TrialRequest,
    options: { signal: AbortSignal; onProgress: (progress: SandboxProgress) => void },
  ): Promise<SandboxOutcome>;
  /** Lets go of what is held between trials, such as connections; nothing is executed afterwards. */
  close(): void;
}

/** One message to a model and what came back. */
export interface ModelRequest {
  purpose: string;
  system: string;
  user: string;
  /** JSON schema of the answer, or null for free text. */
  schema: Record<string, unknown> | null;
  schemaName: string | null;
  maxOutputTokens: number;
  temperature: number;
}
export interface ModelAnswer {
  text: string;
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
  model: string;
}
/** Proposes text; never sets a verdict. @throws AppError llm-auth, llm-unreachable, llm-rate-limited. */
export interface ModelClient {
  readonly name: string;
  complete(request: ModelRequest, options: { signal: AbortSignal; onProgress: () => void }): Promise<ModelAnswer>;
}

export interface EnvironmentRequest {
  /** An existing interpreter, when one is given; nothing is then installed. */
  interpreter: string | null;
  /** Version or path of the Python to build with; null = the one at hand. */
  pythonVersion: string | null;
  /** Whether another Python will do where that one is not there: it was named by the report, not by the user. */
  anyPython: boolean;
  requirements: string[];
  /** ISO date; distributions uploaded later are not seen. */
  cutOffDate: string | null;
  /** What the report names, Python among it, to compute the distance from; of several versions of one name any will do. */
  asked: { name: string; version: string }[];
}
/** Builds and describes environments. */
export interface EnvironmentBuilder {
  build(request: EnvironmentRequest, options: { signal: AbortSignal; onProgress: (message: string) => void }): Promise<Environment>;
}

/** What a report asks of a tree. */
export interface ContextQuery {
  title: string;
  body: string;
  frames: { file: string; function?: string | undefined; line?: number | undefined }[];
  symbols: string[];
}

/** What a choice of contexts may use, and how it is watched and ended. */
export interface RetrieveOptions {
  /** Folders of installed packages, for the signatures of what the tree uses of them. */
  installed?: string[];
  signal?: AbortSignal;
  /** Gets a few words on what is done now; often. */
  onProgress?: (doing: string) => void;
}

/** Contexts, best first, and by what they were chosen. */
export interface RetrievedContexts {
  contexts: Context[];
  ranking: ContextRanking;
}

/**
 * Chooses what a model sees of a tree. @throws AppError of the engine, the embedder and the reranker that are configured: there is no
 * fall-back to less; the signal's reason where it is aborted.
 */
export interface ContextSource {
  retrieve(tree: { directory: string; hash: string }, query: ContextQuery, options?: RetrieveOptions): Promise<RetrievedContexts>;
}

/** How a call of a model can be ended early, and who hears how many of its texts are done. */
export interface ModelOptions {
  signal?: AbortSignal;
  onProgress?: (done: number) => void;
}

/**
 * Turns texts into L2-normalised vectors. The vector of a text depends on the text alone, never on the others of the call, so
 * that it can be cached.
 * @throws AppError config-invalid, llm-auth, llm-unreachable, llm-rate-limited; the signal's reason where it is aborted.
 */
export interface Embedder {
  /** For people: what made the vectors. */
  readonly name: string;
  /** Of everything that decides about a vector: equal digests, equal vectors. */
  readonly digest: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /** Texts beyond the model's length are cut. A `query` is what is searched for, a `document` what is found. */
  embed(texts: string[], role: 'query' | 'document', options?: ModelOptions): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** What a bug report says, condensed for a reranker. */
export interface RerankQuery {
  title: string;
  /** Lines of errors and warnings, the weightiest first. */
  errors: string[];
  frames: { file: string; function?: string | undefined; line?: number | undefined }[];
  /** Identifiers that the report names. */
  symbols: string[];
}

/** A chunk that a search found. */
export interface RerankCandidate extends Omit<ChunkPlace, 'id'> {
  text: string;
  /** The search's own score, 0 to 1. */
  score: number;
}

/** Scores candidates anew; higher is better. A score depends on query and candidate alone. Errors as `Embedder`. */
export interface Reranker {
  readonly name: string;
  readonly digest: string;
  /** One score for each candidate, in their order. */
  rerank(query: RerankQuery, candidates: RerankCandidate[], options?: ModelOptions): Promise<number[]>;
  close(): Promise<void>;
}

export interface Clock {
  now(): Date;
}

export type ReadEvidence = (ref: string) => Promise<EvidenceRecord[]>;
