import type { Candidate, Facet, Plan } from '@reenact/domain';
import { completeJson } from '../model/complete-json.js';
import type { JsonQuestion } from '../model/complete-json.js';
import { extractJson } from '../model/extract-json.js';
import { extractPython } from '../model/extract-python.js';
import { rememberHypotheses, wasTried } from '../memory.js';
import type { Memory } from '../memory.js';
import { DiagnosisAnswer, ScriptAnswer } from '../prompts/answer-schemas.js';
import {
  claimSection,
  contextSection,
  filesSection,
  hintsSection,
  memorySection,
  planSection,
  previousSections,
  reportSection,
} from '../prompts/prompt-sections.js';
import type { PreviousAttempt } from '../prompts/prompt-sections.js';
import { SYSTEM_TEXTS } from '../prompts/prompt-texts.js';
import { joinSections } from '../prompts/quoted-data.js';
import { bindFacets } from './bind-facets.js';
import { candidateFromAnswer } from './candidate-from-answer.js';
import type { TaskMaterial, TaskModel } from './task.js';

/** A script that a model proposed, with the facets bound to what it prints. */
export interface ProposedCandidate {
  candidate: Candidate;
  facets: Facet[];
  /** The idea behind it, in one sentence. */
  idea: string;
  notes: string[];
  /** True when even the second turn gave a script that was tried before: it brings nothing new. */
  repeated: boolean;
}

const SCRIPT_TOKENS = 6_000;
const ASK_FOR_ANOTHER =
  '\n\nThe script that you would give first was tried already and did not show the symptom. Give one with another idea.';

/** Asks for one candidate script for a plan and a context. */
export async function generateCandidate(material: TaskMaterial, plan: Plan | null, model: TaskModel): Promise<ProposedCandidate> {
  const user = joinSections([
    reportSection(material.report),
    claimSection(material.claim),
    filesSection(material.files),
    contextSection(material.context),
    planSection(plan),
    memorySection(material.memory),
    hintsSection(material.hints),
  ]);
  const question: JsonQuestion<ScriptAnswer> = {
    purpose: 'script',
    system: SYSTEM_TEXTS.script,
    user,
    schema: ScriptAnswer,
    schemaName: 'candidate_script',
    maxOutputTokens: SCRIPT_TOKENS,
    temperature: 0,
    rescue: rescueScript,
  };
  return askUntilNew(material, question, { model, script: (answer) => answer });
}

/** A diagnosis of the previous attempt and the script that follows from it; hypotheses go into the memory. */
export interface Diagnosis extends ProposedCandidate {
  diagnosis: string;
  memory: Memory;
}

/** Shows the model its previous script, the change, and what it really did, and asks for the next one. */
export async function diagnoseAttempt(material: TaskMaterial, previous: PreviousAttempt, model: TaskModel): Promise<Diagnosis> {
  const user = joinSections([
    reportSection(material.report),
    claimSection(material.claim),
    filesSection(material.files),
    contextSection(material.context),
    memorySection(material.memory),
    hintsSection(material.hints),
    ...previousSections(previous),
  ]);
  const question: JsonQuestion<DiagnosisAnswer> = {
    purpose: 'diagnose',
    system: SYSTEM_TEXTS.diagnose,
    user,
    schema: DiagnosisAnswer,
    schemaName: 'diagnosis',
    maxOutputTokens: SCRIPT_TOKENS + 1_500,
    temperature: 0,
    rescue: rescueDiagnosis,
  };
  let last: DiagnosisAnswer | undefined;
  const proposed = await askUntilNew(material, question, {
    model,
    script: (answer) => {
      last = answer;
      return answer.next;
    },
  });
  return {
    ...proposed,
    diagnosis: (last?.diagnosis ?? '').slice(0, 2000),
    memory: rememberHypotheses(material.memory, last?.hypotheses ?? []),
  };
}

/** A script that was tried before is asked for once more, with another prompt; a prompt is never sent twice. */
async function askUntilNew<T>(
  material: TaskMaterial,
  question: JsonQuestion<T>,
  how: { model: TaskModel; script: (answer: T) => ScriptAnswer },
): Promise<ProposedCandidate> {
  for (let turn = 0; ; turn += 1) {
    const user = turn === 0 ? question.user : question.user + ASK_FOR_ANOTHER;
    const { value, promptHash } = await completeJson(how.model.client, { ...question, user }, how.model.options);
    const answer = how.script(value);
    const candidate = candidateFromAnswer(answer, material.claim, promptHash);
    const repeated = wasTried(material.memory, candidate.id);
    if (repeated && turn === 0) continue;
    return { candidate, ...bindFacets(material.claim, answer.facets, material.report), idea: answer.idea.slice(0, 300), repeated };
  }
}

/** A bare script in a fence, perhaps with the facets as JSON beside it. */
function rescueScript(text: string): unknown {
  const script = extractPython(text);
  if (script === null || script.truncated) return undefined;
  const beside = extractJson(text, (value) => typeof value === 'object' && value !== null && 'facets' in value) as
    Partial<ScriptAnswer> | undefined;
  return { idea: '', launchArgs: null, ranks: null, env: null, facets: [], ...beside, script: script.text };
}

function rescueDiagnosis(text: string): unknown {
  const next = rescueScript(text);
  return next === undefined ? undefined : { diagnosis: '', hypotheses: [], next };
}
