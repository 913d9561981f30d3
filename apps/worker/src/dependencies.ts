import type { ArtifactStore, ContextSource, EnvironmentBuilder, ModelClient, RunStore, Sandbox } from '@reenact/domain';
import type { PythonSyntax } from '@reenact/code-index';

/** Everything that activities reach the outside world by. */
export interface Dependencies {
  artifacts: ArtifactStore;
  runs: RunStore;
  sandbox: Sandbox;
  environments: EnvironmentBuilder;
  contexts: ContextSource;
  /** null = no model is configured; what needs one is skipped and says so. */
  model: ModelClient | null;
  python: PythonSyntax;
  /** Folder for private copies; its content may be removed when no worker runs. */
  workDirectory: string;
  /** Folder of the runs' artefact folders. */
  runsDirectory: string;
  /** Random text of this installation; makes sentinels unguessable. Never leaves the machine. */
  secret: string;
  /** A Python with pip. */
  interpreter: string;
}
