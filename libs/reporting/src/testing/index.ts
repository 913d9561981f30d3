export { sampleVerdict } from './sample-verdict.js';
export { sampleMaterial, sampleStatements } from './sample-material.js';
