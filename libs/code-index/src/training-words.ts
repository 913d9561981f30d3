/** Words one of which every rule needs; only files with one are searched for loops (retrieval.md section 3.4). */
const WORDS =
  /\b(?:backward|zero_grad|step|fit|fit_generator|train_on_batch|fit_one_cycle|fine_tune|fit_flat_cos|apply_gradients|minimize|GradientTape|training_step|train_step|apply_updates|all_reduce|all_gather\w*|reduce_scatter\w*|all_to_all\w*|train_and_evaluate|opt_update)\s{0,9}\(|loss\w{0,40}\.item\(|loader\w{0,40}\.(?:to|cuda)\(/i;
/** Words that count only where a module is in reach, since they are everywhere. */
const WORDS_OF_MODULES: [modules: string[], words: RegExp][] = [
  [['jax', 'optax', 'flax'], /\.(?:update|apply_gradient)\(/],
  [['tensorflow', 'keras', 'ignite'], /\.(?:run|train|apply)\(/],
  [['fastai'], /\.fit\w{0,20}\(/],
];

/** Whether a file may hold a training step; `reached` are the top modules within one import of it. */
export function mayTrain(text: string, reached: Set<string>): boolean {
  if (WORDS.test(text) || (text.includes('.train(') && text.includes('Trainer'))) return true;
  return WORDS_OF_MODULES.some(([modules, words]) => modules.some((module) => reached.has(module)) && words.test(text));
}
