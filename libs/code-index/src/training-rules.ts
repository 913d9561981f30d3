import { PROJECT_ORIGIN, UNKNOWN_ORIGIN } from './receiver-origins.js';

/** The eight heuristics of the published method (method.md section 1.8), then one name per extension. */
export type TrainingRule =
  | 'H1'
  | 'H2'
  | 'H3'
  | 'H4'
  | 'H5'
  | 'H6'
  | 'H7'
  | 'H8'
  | 'hf-trainer'
  | 'accelerate'
  | 'torch-distributed'
  | 'deepspeed'
  | 'lightning'
  | 'ignite'
  | 'fastai'
  | 'jax'
  | 'keras-train-step'
  | 'tf-estimator';

/** A call that a rule looks at. */
export interface CallSite {
  /** Last name of the callee: `step` of `self.opt.step(…)`. */
  method: string;
  /** Last name of the receiver: `opt`; empty for a bare call or an unnamed receiver. */
  receiver: string;
  /** Where the receiver comes from; for a bare call, where the callee does. */
  origins: string[];
  isMethod: boolean;
  inTape: boolean;
  /** Names and origins of the call's arguments. */
  argumentNames: string[];
  /** Top-level modules that the file, and the project's files that it imports, import. */
  reached: Set<string>;
}

/** A rule that fired; `needsLoop` ones count only inside a loop, or in a function that a loop calls. */
export interface RuleHit {
  rule: TrainingRule;
  needsLoop: boolean;
}

const KERAS = ['tensorflow', 'keras', 'tf_keras'];
const LIGHTNING = ['lightning', 'pytorch_lightning', 'lightning_fabric'];
const FITTING = [...KERAS, ...LIGHTNING, 'fastai', 'skorch', 'autokeras', 'mxnet', 'gluon'];
const APPLYING = [...KERAS, 'flax', 'jax', 'optax', 'paddle', 'mindspore'];
const OPTIMISER_SOURCES = [
  'torch',
  'apex',
  'bitsandbytes',
  'transformers',
  'timm',
  'deepspeed',
  'accelerate',
  'torch_optimizer',
  'colossalai',
];
/** Collectives that combine gradients, parameters or losses; setting up, broadcasting and barriers are no step of training. */
const COLLECTIVES = new Set([
  'all_reduce',
  'all_reduce_coalesced',
  'all_gather',
  'all_gather_into_tensor',
  'reduce_scatter',
  'reduce_scatter_tensor',
  'all_to_all',
  'all_to_all_single',
]);
/** Receivers that are fitted to data beside a network: those of scikit-learn and text tools, when nothing else is known of them. */
const OTHER_FIT =
  /(?:^|_)(?:scaler|label_?encoder|one_?hot|ohe|vectori[sz]er|tokeni[sz]er|pca|k_?means|imputer|binari[sz]er|pipe(?:line)?|svm|svc|knn|forest|grid(?:_search)?)\d?$/i;
const OPTIMISER_NAME = /^(?:\w*_)?(?:opt|optim|optimizer|optimiser)s?(?:_?\w|_\w{2,20})?$/i;
const OPTIMISER_TYPE = /(?:Optim\w*|Adam\w*|SGD|Adagrad|RMSprop|LBFGS|Adadelta|Lion|Lamb|GradScaler)$/i;
const NO_OPTIMISER = /lr_scheduler|schedul|\bLR$/i;

/** Rules for one step of training, which somebody's loop repeats; the others start a loop of a framework or need one around them. */
export const STEP_RULES: ReadonlySet<TrainingRule> = new Set<TrainingRule>(['H3', 'H4', 'accelerate', 'deepspeed', 'jax']);

/** The rules that fire for a call, by receiver resolved through imports: an `env.step` or a `subprocess.run` fires none. */
export function rulesOfCall(call: CallSite): RuleHit[] {
  const hits: RuleHit[] = [];
  const fire = (rule: TrainingRule, needsLoop: boolean, fires: boolean): void => {
    if (fires) hits.push({ rule, needsLoop });
  };
  if (call.isMethod) {
    fire('H1', true, call.method === 'run' && isSession(call));
    fire('H2', false, isFit(call));
    fire('H3', false, isApply(call));
    fire('H4', false, ['gradient', 'watch'].includes(call.method) && call.inTape);
    fire('H5', true, isTorchStep(call));
    fire('H6', true, ['item', 'backward'].includes(call.method) && /loss/i.test(call.receiver) && !isForeign(call));
    fire('H7', true, ['to', 'cuda'].includes(call.method) && /loader/i.test(call.receiver));
    fire('ignite', false, call.method === 'run' && isIgniteTrainer(call));
    fire('deepspeed', false, ['backward', 'step'].includes(call.method) && isDeepSpeedEngine(call));
    fire('accelerate', false, call.method === 'backward' && isAccelerator(call));
    fire('hf-trainer', false, call.method === 'train' && call.origins.some((origin) => /(?:^|\.)\w*Trainer$/.test(origin)));
    fire('fastai', false, ['fit_one_cycle', 'fine_tune', 'fit_flat_cos'].includes(call.method) && isFrom(call, ['fastai']));
    fire('lightning', false, call.method === 'fit' && call.origins.some((origin) => LIGHTNING.includes(topOf(origin))));
  }
  fire('torch-distributed', true, COLLECTIVES.has(call.method) && isTorchDistributed(call));
  fire('jax', false, isJaxUpdate(call));
  fire('tf-estimator', false, isEstimatorTraining(call));
  return hits;
}

/** The rules that fire for a method's definition inside a class. */
export function rulesOfMethod(name: string, bases: string[], reached: Set<string>): RuleHit[] {
  if (name === 'training_step') return [{ rule: 'H8', needsLoop: false }];
  const isKeras = KERAS.some((module) => reached.has(module)) && bases.some((base) => /(?:Model|Sequential|Functional)$/.test(base));
  return name === 'train_step' && isKeras ? [{ rule: 'keras-train-step', needsLoop: false }] : [];
}

function topOf(origin: string): string {
  return origin.split('.', 1)[0] ?? origin;
}

/** True when every known origin lies in a module that is neither the project's nor one of deep learning. */
function isForeign(call: CallSite): boolean {
  const allowed = [...FITTING, ...APPLYING, ...OPTIMISER_SOURCES, PROJECT_ORIGIN, UNKNOWN_ORIGIN];
  return call.origins.length > 0 && call.origins.every((origin) => !allowed.includes(topOf(origin)));
}

/** From one of these frameworks by its origin or, where the origin is unknown or the project's own, by what the file can reach. */
function isFrom(call: CallSite, frameworks: string[]): boolean {
  if (call.origins.some((origin) => frameworks.includes(topOf(origin)))) return true;
  return isOpen(call) && frameworks.some((framework) => call.reached.has(framework));
}

/** Nothing is known of the receiver, or it is the project's own. */
function isOpen(call: CallSite): boolean {
  return call.origins.length === 0 || call.origins.some((origin) => [PROJECT_ORIGIN, UNKNOWN_ORIGIN].includes(topOf(origin)));
}

/** `apply` is Keras 3's name of the optimiser's step; it is everywhere else, so the receiver must be an optimiser. */
function isApply(call: CallSite): boolean {
  if (call.method === 'apply') return isFrom(call, KERAS) && OPTIMISER_NAME.test(call.receiver);
  return ['apply_gradients', 'minimize'].includes(call.method) && isFrom(call, APPLYING);
}

/** Engines that train: an evaluator runs as well. */
function isIgniteTrainer(call: CallSite): boolean {
  if (/eval|valid|test/i.test(call.receiver)) return false;
  const made = call.origins.filter((origin) => origin.startsWith('ignite.'));
  if (made.length > 0) return !made.every((origin) => /evaluat/i.test(origin));
  return /trainer|engine/i.test(call.receiver) && isFrom(call, ['ignite']);
}

function isDeepSpeedEngine(call: CallSite): boolean {
  if (call.origins.some((origin) => origin.startsWith('deepspeed.'))) return true;
  return /engine/i.test(call.receiver) && isFrom(call, ['deepspeed']);
}

function isEstimatorTraining(call: CallSite): boolean {
  const isTraining = call.method === 'train_and_evaluate' || (call.method === 'train' && call.isMethod);
  if (!isTraining) return false;
  if (call.origins.some((origin) => /^tensorflow\.(?:\w+\.)*estimator\b/.test(origin))) return true;
  return /estimator/i.test(call.receiver) && isFrom(call, KERAS);
}

function isSession(call: CallSite): boolean {
  if (call.origins.some((origin) => /^tensorflow\.(?:\w+\.)*\w*Session$/.test(origin))) return true;
  return /sess/i.test(call.receiver) && isFrom(call, KERAS);
}

function isFit(call: CallSite): boolean {
  if (['fit_generator', 'train_on_batch'].includes(call.method)) return !isForeign(call);
  if (call.method !== 'fit' || (isOpen(call) && OTHER_FIT.test(call.receiver))) return false;
  const ownModel = call.reached.has('torch') && call.origins.some((origin) => topOf(origin) === PROJECT_ORIGIN);
  return ownModel || isFrom(call, FITTING);
}

function isTorchStep(call: CallSite): boolean {
  if (isForeign(call)) return false;
  if (call.method === 'backward' || call.method === 'zero_grad') return true;
  if (call.method !== 'step' || call.origins.some((origin) => NO_OPTIMISER.test(origin))) return false;
  if (NO_OPTIMISER.test(call.receiver)) return false;
  const made = call.origins.some((origin) => OPTIMISER_TYPE.test(origin) || origin.startsWith('deepspeed.'));
  return made || OPTIMISER_NAME.test(call.receiver) || call.argumentNames.some((name) => OPTIMISER_NAME.test(name));
}

function isAccelerator(call: CallSite): boolean {
  if (call.origins.some((origin) => origin.endsWith('.Accelerator'))) return true;
  return /accelerator|fabric/i.test(call.receiver) && ['accelerate', ...LIGHTNING].some((module) => call.reached.has(module));
}

function isTorchDistributed(call: CallSite): boolean {
  return call.origins.some((origin) => /^torch\.distributed(?:\.|$)/.test(origin));
}

/** An optimiser update of optax or Flax; gradient functions alone also serve other ends. */
function isJaxUpdate(call: CallSite): boolean {
  if (!['jax', 'optax', 'flax'].some((module) => call.reached.has(module))) return false;
  // `opt_update` is what jax.example_libraries.optimizers hands out.
  if (call.method === 'apply_updates' || (!call.isMethod && call.method === 'opt_update')) return true;
  return (
    call.isMethod &&
    call.method === 'update' &&
    (call.origins.some((origin) => topOf(origin) === 'optax') || /^(?:tx|opt\w*)$/i.test(call.receiver))
  );
}
