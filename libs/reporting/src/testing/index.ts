export { sampleVerdict } from './sample-verdict.js';
