import type { JudgeInput, Judgement } from './judge-input.js';

/** Folds finished trials into a verdict (verdict.md section 5). Pure. */
export function judge(input: JudgeInput): Judgement {
  throw new Error(`not yet: ${input.scope}`);
}
