export { proposeFromReport } from './portfolio/from-report.js';
export type { PortfolioInput } from './portfolio/from-report.js';
export { proposeFromProject } from './portfolio/from-project.js';
export { repairCandidate } from './portfolio/repair-candidate.js';
export { openTree, treeOfTexts } from './portfolio/subject-tree.js';
export type { SubjectTree } from './portfolio/subject-tree.js';
export { summarizeEvidence } from './evidence-summary.js';
export type { EvidenceSummary } from './evidence-summary.js';
