import type { Claim, Context, ModelClient, Report } from '@reenact/domain';
import type { Memory } from '../memory.js';

/** What every task of a model gets to see. */
export interface TaskMaterial {
  report: Report;
  claim: Claim;
  context: Context | null;
  /** Paths of the project's files, relative to its root. */
  files: string[];
  memory: Memory;
  /** Hints of people who watch the run, oldest first. */
  hints: string[];
}

export interface TaskOptions {
  signal: AbortSignal;
  onProgress: () => void;
}

/** A model and how to ask it. */
export interface TaskModel {
  client: ModelClient;
  options: TaskOptions;
}
