export { createEvidence, frame, printedLines, SCRIPT_PID, type EvidenceBuilder } from './evidence-builder.js';
export { exceptionOracle, observedFacet, relationOracle } from './claim-builder.js';
export { finishedTrial, infraTrial, TEST_SENTINEL } from './trial-builder.js';
export { ask } from './oracle-questions.js';
export { bundleParts } from './bundle-parts.js';
export { judgeInput, playSeries, type PlayedSeries } from './series.js';
export {
  COVERAGE_DESIGNS,
  COVERAGE_RATES,
  PRINTED_FACET,
  signalEvidence,
  simulateCoverage,
  trippedEvidence,
  type CoverageDesign,
  type SimulatedCoverage,
} from './coverage-simulation.js';
export { coverageEnds, exactCoverage, type CoverageEnd } from './coverage-ends.js';
