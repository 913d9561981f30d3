export { createFakeSandbox } from './fake-sandbox.js';
export type { FakeSandbox, FakeSandboxOptions, ScriptedTrial } from './fake-sandbox.js';
export { runBenchTrial, type BenchTrial } from './trial-bench.js';
export { runPods, type PodsResult, type PodsTrial } from '../kubernetes/testing/pods-bench.js';
