export { createEnvironmentBuilder, sameVersion } from './build-environment.js';
export type { EnvironmentConfig } from './build-environment.js';
export { importedModules } from './imports.js';
export { describeInterpreter, findInterpreter } from './interpreter.js';
export type { InterpreterFacts } from './interpreter.js';
export { solveRequirements } from './requirements.js';
export type { SolvedRequirements } from './requirements.js';
export { ensureUv } from './uv.js';
export { listPythons, listVersions } from './versions.js';
