export { buildImage, repositoryOf } from './build-image.js';
export type { BuildOptions, BuiltImage, BuiltLayer, ImagePlan } from './build-image.js';
export { listImages } from './list-images.js';
export type { ListedImage } from './list-images.js';
export { makeLayoutFolder } from './oci-layout.js';
export { planRunnerImage } from './runner-image.js';
export type { BaseChoice, ImageWork, PlannedRunner, RunnerRequest } from './runner-image.js';
export { planSupervisorImage, planWorkerImage } from './worker-image.js';
