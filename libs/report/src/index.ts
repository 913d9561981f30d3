export { readReport } from './read-report.js';
export { DEFAULT_REPORT_LIMITS } from './limits.js';
export type { ReportLimits } from './limits.js';
export { distributionName, isKnownPackage } from './facts/package-names.js';
export { clausesOf, clauseStance, namesSymptom, withoutDenials } from './prose/stance.js';
export { isProjectFrame, projectFrames, rootException } from './traceback/project-frames.js';
export { looksLikeException } from './traceback/grammar.js';
