import { completeJson } from '../model/complete-json.js';
import { SabotageAnswer } from '../prompts/answer-schemas.js';
import { claimSection, hintsSection, reportSection, suspectsSection } from '../prompts/prompt-sections.js';
import type { SuspectSource } from '../prompts/prompt-sections.js';
import { SYSTEM_TEXTS } from '../prompts/prompt-texts.js';
import { joinSections } from '../prompts/quoted-data.js';
import type { TaskMaterial, TaskModel } from './task.js';

const MOST_FUNCTIONS = 4;

/** Whole definitions that are to stand in the place of suspected ones, and the idea behind them in one sentence. */
export interface ProposedSabotage {
  functions: { file: string; function: string; text: string }[];
  idea: string;
}

/**
 * Asks for correct versions of suspected functions. They make a control: where the symptom goes away with them, it hangs
 * on these functions. The script is not shown, so that the proposal cannot be made to fit it.
 */
export async function proposeSabotage(
  material: TaskMaterial,
  suspects: readonly SuspectSource[],
  model: TaskModel,
): Promise<ProposedSabotage> {
  const user = joinSections([
    reportSection(material.report),
    claimSection(material.claim),
    suspectsSection(suspects),
    hintsSection(material.hints),
  ]);
  const { value } = await completeJson(
    model.client,
    {
      purpose: 'control',
      system: SYSTEM_TEXTS.control,
      user,
      schema: SabotageAnswer,
      schemaName: 'control_functions',
      maxOutputTokens: 6_000,
      temperature: 0,
    },
    model.options,
  );
  return { functions: value.functions.slice(0, MOST_FUNCTIONS), idea: value.idea.slice(0, 300) };
}
