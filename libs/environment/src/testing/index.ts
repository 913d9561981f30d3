export { createFakeEnvironmentBuilder } from './fake-environment-builder.js';
