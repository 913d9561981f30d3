/** One queue is one resource class and one scaling unit (temporal.md section 3.5). */
export const QUEUES = {
  workflows: 'reenact-workflows',
  core: 'reenact-core',
  index: 'reenact-index',
  llm: 'reenact-llm',
  environments: 'reenact-environments',
  jobsCpu: 'reenact-jobs-cpu',
} as const;

export type QueueName = (typeof QUEUES)[keyof typeof QUEUES];

/** Names under which the workflow types are registered. */
export const WORKFLOW_TYPES = {
  reproduce: 'reproduceBugWorkflow',
  context: 'contextLoopWorkflow',
  judge: 'judgeScriptWorkflow',
  replay: 'replayBundleWorkflow',
  bisect: 'bisectBundleWorkflow',
  minimise: 'minimiseBundleWorkflow',
  janitor: 'janitorWorkflow',
} as const;
