import type { ModelUse } from './activities.js';
import type { BisectAxis, ContentRef, SubjectAddress } from './schemas/index.js';

/** What is compared against: a patch in the artefact store, or another form of the subject. */
export type FixedAddress = { type: 'patch'; patch: ContentRef } | SubjectAddress;

/** What every kind of run needs to know; content travels by reference. */
export interface RunRequest {
  schemaVersion: 1;
  runId: string;
  title: string;
  /** Bytes of the report as filed. */
  report: ContentRef;
  subject: SubjectAddress;
  /** Tree hash of a folder that was snapshotted when the run was asked for. */
  treeHash: string | null;
  fixed: FixedAddress | null;
  /** Tree hash of a fixed form that is a folder, snapshotted with the subject. */
  fixedTreeHash: string | null;
  /** Interpreter of an environment in which the fault is absent. */
  controlPython: string | null;
  /** Interpreter path or version; null = chosen from the report. */
  python: string | null;
  requirements: string[];
  goodRequirements: string[];
  limits: { wallSeconds?: number; memoryBytes?: number };
  allowUnsandboxed: boolean;
  model: ModelUse;
  /** Keeps fresh trials apart from stored ones; equal series share trials (verdict.md section 6). */
  series: string;
}

/** The whole pipeline: `reenact run`. */
export interface ReproduceRequest extends RunRequest {
  kind: 'reproduce';
}

/** A verdict on a script that somebody else wrote: `reenact judge`. */
export interface JudgeRequest extends RunRequest {
  kind: 'judge';
  /** Text of the script, and the name it is stored under. */
  script: { name: string; text: ContentRef };
  /** Facets with their oracles as JSON; null = from the report. */
  oracles: ContentRef | null;
}

/** Fresh trials of a stored bundle: `reenact replay`. No model, no report. */
export interface ReplayRequest {
  kind: 'replay';
  schemaVersion: 1;
  runId: string;
  title: string;
  bundleTree: string;
  subject: SubjectAddress | null;
  treeHash: string | null;
  python: string | null;
  controlPython: string | null;
  requirements: string[];
  allowUnsandboxed: boolean;
  series: string;
}

/** A smaller script and smaller settings that show the same: `reenact minimise`. */
export interface MinimiseRequest extends Omit<ReplayRequest, 'kind'> {
  kind: 'minimise';
  /** Variants that may be tried. */
  maxTests: number;
}

/** Where in a history a bundle's fault came in: `reenact bisect`. */
export interface BisectRequest {
  kind: 'bisect';
  schemaVersion: 1;
  runId: string;
  title: string;
  bundleTree: string;
  axis: BisectAxis;
  /** How often a point with the fault shows it, in (0, 1]; null = as the bundle's report says. */
  rate: number | null;
  python: string | null;
  requirements: string[];
  maxTrials: number;
  allowUnsandboxed: boolean;
  series: string;
}
