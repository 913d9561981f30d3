import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Bisection } from '@reenact/domain/schemas';
import { plainLine } from '@reenact/reporting';
import type { CommandContext } from '../commands/command-context.js';
import { writeJson } from '../console.js';

const FOUND = 0;
/** As for a verdict that says neither yes nor no (verdict.md section 5). */
const OPEN = 11;
const LABEL_WIDTH = 70;

/** The bisection in a run's folder; null where there is none. */
export async function readBisection(folder: string): Promise<Bisection | null> {
  const text = await readFile(path.join(folder, 'bisection.json'), 'utf8').catch(() => null);
  return text === null ? null : Bisection.parse(JSON.parse(text));
}

/** Prints a bisection. @returns its exit status: 0 where a point was found. */
export function showBisection(context: CommandContext, bisection: Bisection, at: { folder: string; uiUrl: string | null }): number {
  if (context.json) writeJson(context.console, { ...bisection, folder: at.folder, uiUrl: at.uiUrl });
  else context.console.data(renderBisection(bisection, at));
  return bisection.status === 'found' ? FOUND : OPEN;
}

/** The result for people: the sentence, then every point that was tried. */
export function renderBisection(bisection: Bisection, at: { folder: string; uiUrl: string | null }): string {
  const culprits = new Set(bisection.culprit?.candidates.map((point) => point.value));
  const lines = bisection.tried.map((point) => {
    const said = point.skipped === null ? `${point.shown} of ${point.trials} shown` : `not tried: ${plainLine(point.skipped, 80)}`;
    const mark = culprits.has(point.value) ? '→' : ' ';
    return `  ${mark} ${plainLine(point.label, LABEL_WIDTH).padEnd(LABEL_WIDTH)}  ${said}`;
  });
  return [
    '',
    `${bisection.status === 'found' ? '✔' : '●'} ${plainLine(bisection.sentence, 400)}`,
    '',
    ...lines,
    '',
    `  rate        ${Math.round(bisection.rate * 100) / 100} at a point that has the fault`,
    `  cost        ${bisection.seconds.toFixed(1)} s, ${bisection.trials} trials`,
    `  folder      ${at.folder}`,
    ...(at.uiUrl === null ? [] : [`  Temporal UI ${at.uiUrl}`]),
    '',
  ].join('\n');
}
