import path from 'node:path';
import { QUEUES } from '@reenact/domain';
import type { Configuration } from '@reenact/domain';
import { loadPythonSyntax } from '@reenact/code-index';
import { createEnvironmentBuilder, findInterpreter } from '@reenact/environment';
import { createChunkIndex, createContextSource, shareModels } from '@reenact/retrieval';
import { createLocalSandbox, openClusterSandbox, openClusterSweep } from '@reenact/sandbox';
import { FolderArtifactStore, SqliteRunStore } from '@reenact/store';
import { mergeActivities } from '@reenact/temporal/worker';
import type { ActivityMap, WorkerLogger } from '@reenact/temporal/worker';
import { createBisectionActivities } from './activities/bisection-activities.js';
import { createBundleActivities } from './activities/bundle-activities.js';
import { createCandidateActivities } from './activities/candidate-activities.js';
import { createEnvironmentActivities } from './activities/environment-activities.js';
import { createIntakeActivities } from './activities/intake-activities.js';
import { createJudgeActivities } from './activities/judge-activities.js';
import { createMaintenanceActivities } from './activities/maintenance-activities.js';
import { createMinimiseActivities } from './activities/minimise-activities.js';
import { createModelActivities } from './activities/model-activities.js';
import { createPublishActivities } from './activities/publish-activities.js';
import { createSubjectActivities } from './activities/subject-activities.js';
import { createTrialActivities } from './activities/trial-activities.js';
import type { Dependencies } from './dependencies.js';
import { installationSecret } from './installation-secret.js';
import { createListingCache } from './listing-cache.js';
import { createModelSource } from './model-source.js';
import { createTreeCache } from './tree-cache.js';
import { ownWorkDirectory } from './work-directory.js';

/** Artefacts and run database of a state directory. */
export function openStores(stateDirectory: string, logger: WorkerLogger): { artifacts: FolderArtifactStore; runs: SqliteRunStore } {
  return {
    artifacts: new FolderArtifactStore(path.join(stateDirectory, 'artifacts')),
    runs: new SqliteRunStore(path.join(stateDirectory, 'runs.sqlite'), (message) => logger({ level: 'WARN', message, meta: {} })),
  };
}

/** The real adapters behind every port, for one machine. */
export async function composeDependencies(configuration: Configuration, logger: WorkerLogger): Promise<Dependencies> {
  const { stateDirectory, searchPath } = configuration;
  const workDirectory = await ownWorkDirectory(path.join(stateDirectory, 'work'));
  const interpreter = configuration.python ?? (await findInterpreter('python3', searchPath)) ?? 'python3';
  const { artifacts, runs } = openStores(stateDirectory, logger);
  const notice = (message: string): void => logger({ level: 'WARN', message, meta: {} });
  const trees = createTreeCache(artifacts, path.join(stateDirectory, 'trees'));
  const python = await loadPythonSyntax();
  const secret = await installationSecret(configuration);
  return {
    artifacts,
    runs,
    trees,
    python,
    listSubject: createListingCache(python, trees),
    sandbox:
      configuration.sandbox.type === 'kubernetes'
        ? await openClusterSandbox(configuration.sandbox, secret)
        : createLocalSandbox({
            workDirectory: path.join(workDirectory, 'sandbox'),
            cacheDirectory: path.join(stateDirectory, 'interpreters'),
            supervisorPython: interpreter,
          }),
    sweep: configuration.sandbox.type === 'kubernetes' ? await openClusterSweep(configuration.sandbox) : null,
    environments: createEnvironmentBuilder({ stateDirectory, searchPath, pip: interpreter }),
    contexts: createContextSource({
      directory: path.join(stateDirectory, 'indexes'),
      openIndex: () => createChunkIndex(configuration.search, stateDirectory),
      useModels: shareModels(configuration.retrievalModels, stateDirectory, notice),
      onNotice: notice,
    }),
    modelFor: createModelSource(configuration.model, { artifacts, runs }),
    workDirectory,
    stateDirectory,
    searchPath,
    secret,
    interpreter,
  };
}

/** Which activities each queue hosts (temporal.md section 3.5). */
export function activitiesByQueue(deps: Dependencies): Partial<Record<string, ActivityMap>> {
  return {
    [QUEUES.core]: mergeActivities(
      createIntakeActivities(deps),
      createCandidateActivities(deps),
      createBundleActivities(deps),
      createJudgeActivities(deps),
      createPublishActivities(deps),
      createBisectionActivities(deps),
      createMinimiseActivities(deps),
      createMaintenanceActivities(deps),
    ),
    [QUEUES.index]: mergeActivities(createSubjectActivities(deps)),
    [QUEUES.environments]: mergeActivities(createEnvironmentActivities(deps)),
    [QUEUES.llm]: mergeActivities(createModelActivities(deps)),
    [QUEUES.jobsCpu]: mergeActivities(createTrialActivities(deps)),
  };
}
