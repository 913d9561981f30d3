export { createLocalSandbox } from './local-sandbox.js';
export type { LocalSandboxOptions } from './local-sandbox.js';
export { parseEvidence, readEvidence } from './evidence-reader.js';
export { formatEvidence } from './evidence-writer.js';
export type { ScriptedRecord } from './evidence-writer.js';
export { describeAddress, prepareSubject } from './subject/prepare-subject.js';
export type { SubjectDeps } from './subject/prepare-subject.js';
export { listCommits } from './subject/git-subject.js';
