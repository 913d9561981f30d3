export { readTestBedConfiguration } from './config.js';
export type { TestBedConfiguration } from './config.js';
export { missingPrerequisite } from './node-installation.js';
export { bringNodeUp, findNode, startTestNode, takeNodeDown } from './test-node.js';
export type { TestNode } from './test-node.js';
