import type { ArtifactStore, ContextSource, EnvironmentBuilder, ModelClient, ModelUse, RunStore, Sandbox } from '@reenact/domain';
import type { openClusterSweep } from '@reenact/sandbox';
import type { PythonSyntax } from '@reenact/code-index';
import type { SubjectListing } from '@reenact/verdict';
import type { TreeCache } from './tree-cache.js';

/** Everything that activities reach the outside world by. */
export interface Dependencies {
  artifacts: ArtifactStore;
  runs: RunStore;
  sandbox: Sandbox;
  /** Deletes executions of the cluster that nobody needs; null = trials run on this machine. */
  sweep: Awaited<ReturnType<typeof openClusterSweep>> | null;
  environments: EnvironmentBuilder;
  contexts: ContextSource;
  trees: TreeCache;
  listSubject: (treeHash: string, importRoots: readonly string[]) => Promise<SubjectListing>;
  /** The model of a run, metered and stored; null = none is configured, and what needs one is skipped and says so. */
  modelFor: (runId: string, use: ModelUse) => ModelClient | null;
  python: PythonSyntax;
  /** Folder for private copies; its content may be removed when no worker runs. */
  workDirectory: string;
  stateDirectory: string;
  /** Random text of this installation; makes sentinels unguessable. Never leaves the machine. */
  secret: string;
  /** The host's search path, to find interpreters. */
  searchPath: string;
  /** A Python with pip. */
  interpreter: string;
}
