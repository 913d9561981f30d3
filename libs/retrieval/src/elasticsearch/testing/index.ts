export { readTestBedConfiguration } from './config.js';
export type { TestBedConfiguration } from './config.js';
export { measureOverlap } from './measure-overlap.js';
export type { Overlap } from './measure-overlap.js';
export { missingPrerequisite } from './node-installation.js';
export { bringNodeUp, findNode, startTestNode, takeNodeDown } from './test-node.js';
export type { TestNode } from './test-node.js';
export { sampleTree } from './tree-chunks.js';
export type { TreeSample } from './tree-chunks.js';
