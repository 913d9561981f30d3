import { createHash } from 'node:crypto';
import { isReproduced } from '@reenact/domain';
import type { Verdict } from '@reenact/domain';
import { plainLine, plainLines } from './plain-text.js';
import { withoutRefused } from './result/result-material.js';
import { controlWords, depthWords, gradeWords, groundingPlace, rateWords } from './verdict-words.js';

/** The five keys of AIFaultBench's `reproduction.json`, strictly (benchmark.md section 6.3). */
export interface FiveKeyRecord {
  /** true for `reproduced`, `reproduced_uncontrolled` and `reproduced_unstable` (verdict.md section 5). */
  reproducible: boolean;
  /** Each line cites what it rests on; rate, controls, grade and the bundle's id are here, for the format has no field of their own. */
  evidence: string[];
  /** Commands, in order. */
  steps: string[];
  /** Empty where it is reproduced; else state, class and reason. */
  blocking_reason: string;
  reproduction_command: string;
}

/** What was run, and what it printed; both may be empty. */
export interface FiveKeyMaterial {
  script: string;
  output: string;
}

const MAX_OUTPUT_LINES = 12;
const MAX_GROUNDINGS = 5;

/** The verdict in the five-key form. Pure; texts lose control sequences and are cut. */
export function renderFiveKey(verdict: Verdict, material: FiveKeyMaterial): FiveKeyRecord {
  const reproducible = isReproduced(verdict.verdict);
  return {
    reproducible,
    evidence: evidenceLines(withoutRefused(verdict), material),
    steps: verdict.bundle === null ? [] : ['mkdir bundle', `tar -xf ${plainLine(verdict.bundle.path)} -C bundle`, 'cd bundle', 'sh run.sh'],
    blocking_reason: reproducible ? '' : blockingReason(verdict),
    reproduction_command: verdict.bundle === null ? '' : `./reenact replay ${plainLine(verdict.bundle.path)}`,
  };
}

function evidenceLines(verdict: Verdict, { script, output }: FiveKeyMaterial): string[] {
  const lines = [
    plainLine(verdict.sentence, 1000),
    `rate: ${rateWords(verdict.rate)}`,
    `grade: ${gradeWords(verdict)}; depth: ${depthWords(verdict.depth)}`,
  ];
  for (const facet of verdict.facets) {
    lines.push(plainLine(`facet ${facet.id} ${facet.state}, ${rateWords(facet.rate)}: ${facet.statement}`, 600));
    for (const grounding of facet.grounding.slice(0, MAX_GROUNDINGS))
      lines.push(plainLine(`${groundingPlace(grounding)}: ${grounding.text}`, 600));
  }
  for (const control of verdict.controls)
    lines.push(plainLine(`control ${control.arm} (${control.label}): ${controlWords(control)}. ${control.note}`, 600));
  for (const finding of verdict.findings) lines.push(plainLine(`integrity ${finding.level} ${finding.rule}: ${finding.message}`, 600));
  if (verdict.bundle !== null) lines.push(`bundle sha256:${plainLine(verdict.bundle.id)}`);
  if (script !== '') lines.push(`script sha256:${createHash('sha256').update(script).digest('hex')}, ${script.split('\n').length} lines`);
  return [...lines, ...outputLines(output)];
}

function outputLines(output: string): string[] {
  const lines = plainLines(output.slice(-20_000)).filter((line) => line.trim() !== '');
  return lines.slice(-MAX_OUTPUT_LINES).map((line) => `output: ${plainLine(line, 300)}`);
}

function blockingReason(verdict: Verdict): string {
  const needs = (verdict.needs ?? []).map(({ what, give }) => `needs ${what}: ${give}`);
  const parts = [verdict.verdict, verdict.reason ?? '', ...needs, ...verdict.missing.map((item) => `missing: ${item}`)];
  return plainLine(parts.filter((part) => part !== '').join('; '), 1000);
}
