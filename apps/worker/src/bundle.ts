import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '@reenact/temporal/worker';

/** Bundles the workflow code at build time: `node dist/bundle.js`. Fails the build when anything does not resolve. */
const workflowsPath = fileURLToPath(import.meta.resolve('@reenact/workflow-reproduce'));
const outFile = fileURLToPath(new URL('./workflow-bundle.js', import.meta.url));
await bundleWorkflows(workflowsPath, outFile);
