import type { Candidate, Claim } from '@reenact/domain';
import { extractPython } from '../model/extract-python.js';
import { buildCandidate, buildLaunch } from '../portfolio/launch-building.js';
import { isHarnessVariable } from '../portfolio/program.js';
import type { ScriptAnswer } from '../prompts/answer-schemas.js';

const SCRIPT_NAME = 'candidate.py';
const MAX_RANKS = 8;
const MAX_ARGS = 20;
const MAX_VARIABLES = 20;

/** Turns a model's answer into a candidate: fences are taken off, arguments and variables are bounded, ranks are 1 to 8. */
export function candidateFromAnswer(answer: ScriptAnswer, claim: Claim, promptHash: string): Candidate {
  const text =
    answer.script.includes('```') || answer.script.includes('~~~') ? (extractPython(answer.script)?.text ?? answer.script) : answer.script;
  const args = (answer.launchArgs ?? []).slice(0, MAX_ARGS).filter((word) => word.length <= 300 && !word.includes('\0'));
  const variables = (answer.env ?? [])
    .slice(0, MAX_VARIABLES)
    .filter(({ name, value }) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isHarnessVariable(name) && !value.includes('\0'));
  const ranks = Math.min(MAX_RANKS, Math.max(1, answer.ranks ?? 1));
  return buildCandidate({
    origin: 'generated',
    files: [{ path: SCRIPT_NAME, text: `${text.replaceAll('\r\n', '\n').trim()}\n` }],
    launch: buildLaunch(
      [{ argv: ['python', `@script/${SCRIPT_NAME}`, ...args], ranks, continueOnError: false }],
      Object.fromEntries(variables.map(({ name, value }) => [name, value])),
      claim,
    ),
    source: `prompt ${promptHash.slice(0, 12)}`,
    repairs: [],
  });
}
