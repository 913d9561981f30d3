import type { Plan } from '@reenact/domain';
import { completeJson } from '../model/complete-json.js';
import { rememberHypotheses } from '../memory.js';
import type { Memory } from '../memory.js';
import { PlanAnswer } from '../prompts/answer-schemas.js';
import { claimSection, contextSection, filesSection, hintsSection, memorySection, reportSection } from '../prompts/prompt-sections.js';
import { SYSTEM_TEXTS } from '../prompts/prompt-texts.js';
import { joinSections } from '../prompts/quoted-data.js';
import type { TaskMaterial, TaskModel } from './task.js';

const MAX_STEPS = 12;
/** Steps that would mend the bug have no place in a reproduction (method.md section 2). */
const MENDS = /\b(?:fix|patch|mend|repair|correct|workaround|monkey-?patch)\b/i;

/** Asks for typed steps for one context, and takes its hypotheses into the memory. */
export async function planReproduction(material: TaskMaterial, model: TaskModel): Promise<{ plan: Plan; memory: Memory }> {
  const user = joinSections([
    reportSection(material.report),
    claimSection(material.claim),
    filesSection(material.files),
    contextSection(material.context),
    memorySection(material.memory),
    hintsSection(material.hints),
  ]);
  const { value } = await completeJson(
    model.client,
    { purpose: 'plan', system: SYSTEM_TEXTS.plan, user, schema: PlanAnswer, schemaName: 'plan', maxOutputTokens: 2_500, temperature: 0 },
    model.options,
  );
  const steps = value.steps
    .filter(({ action, purpose }) => purpose === 'trigger' || purpose === 'assert' || !MENDS.test(action))
    .slice(0, MAX_STEPS)
    .map((step, index) => ({ id: `s${index + 1}`, purpose: step.purpose, action: step.action.slice(0, 600) }));
  const hypotheses = value.hypotheses.slice(0, 4).map((text) => ({ text: text.slice(0, 300), status: 'open' as const, note: '' }));
  return {
    plan: { schemaVersion: 1, context: material.context?.rank ?? 0, steps, madeBy: 'model' },
    memory: rememberHypotheses(material.memory, hypotheses),
  };
}
