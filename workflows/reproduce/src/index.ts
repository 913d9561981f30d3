export { contextLoopWorkflow } from './context-loop.workflow.js';
export type { ContextLoopInput, ContextLoopResult } from './context-loop.workflow.js';
export { judgeScriptWorkflow } from './judge-script.workflow.js';
export { replayBundleWorkflow } from './replay-bundle.workflow.js';
export { reproduceBugWorkflow } from './reproduce-bug.workflow.js';
export type { RunResult } from './ending.js';
export { addHint, getStatus, grantAttempts, stop } from './messages.js';
export type { RunStatus } from './messages.js';
