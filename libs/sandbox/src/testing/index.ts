export { createFakeSandbox } from './fake-sandbox.js';
export type { FakeSandbox, FakeSandboxOptions, ScriptedTrial } from './fake-sandbox.js';
export { runBenchTrial, type BenchTrial } from './trial-bench.js';
