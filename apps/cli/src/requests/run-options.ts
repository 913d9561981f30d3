/** Options that `run` and `judge` have in common, as commander reads them. */
export interface ExperimentOptions {
  report?: string;
  subject?: string;
  fixed?: string;
  controlPython?: string;
  with: string[];
  python?: string;
  /** false with `--no-model`. */
  model: boolean;
  budgetUsd?: number;
  budgetTokens?: number;
  budgetMinutes?: number;
  attempts?: number;
  record?: string;
  replay?: string;
  detach?: boolean;
  force?: boolean;
  unsandboxed?: boolean;
}

/** What a case directory or the command line names, before anything is stored; paths are absolute. */
export interface ExperimentSource {
  reportPath: string;
  subject: string;
  fixed: string | null;
  requirements: string[];
  goodRequirements: string[];
  python: string | null;
  limits: { wallSeconds?: number; memoryBytes?: number };
  attempts: number | null;
  /** A case of our own, that may run where the system gives no sandbox. */
  isOwnExample: boolean;
}
