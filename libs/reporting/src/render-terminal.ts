import { createColors } from 'picocolors';
import { isReproduced, leverResultWords, rankingWords } from '@reenact/domain';
import type { ControlResult, FacetResult, LeverResult, RunEvent, Verdict } from '@reenact/domain';
import { needsInfoTemplate } from './needs-info-template.js';
import { plainLine } from './plain-text.js';
import { refusedStatements, withoutRefused } from './result/result-material.js';
import {
  controlWords,
  costWords,
  depthWords,
  explanationsOf,
  findingPlace,
  gradeWords,
  groundingPlace,
  leverEffectWords,
  rateWords,
  secondsWords,
} from './verdict-words.js';

/** How a terminal is written to. */
export interface TerminalOptions {
  color: boolean;
}

/** Where to look further; every part may be unknown. */
export interface VerdictLinks {
  /** Absolute path of the run's folder. */
  folder: string | null;
  /** Page of the run in the Temporal UI. */
  uiUrl: string | null;
  /** The one command that is most useful next. */
  next: string | null;
}

type Colors = ReturnType<typeof createColors>;
const MAX_FACETS = 12;
const LABEL_WIDTH = 12;

/** The verdict for a terminal: sentence, rate, grade, depth, facets, controls, bundle, links, next command. Ends without a newline. */
export function renderTerminalVerdict(verdict: Verdict, links: VerdictLinks, { color }: TerminalOptions): string {
  const colors = createColors(color);
  const row = (label: string, text: string) => `  ${colors.dim(label.padEnd(LABEL_WIDTH))}${text}`;
  const lines = [
    stateWord(verdict, colors),
    `  ${plainLine(verdict.sentence, 1000)}`,
    '',
    row('rate', rateWords(verdict.rate)),
    row('grade', `${gradeWords(verdict)}${verdict.gradeReason === '' ? '' : `: ${plainLine(verdict.gradeReason, 200)}`}`),
    row('depth', depthWords(verdict.depth)),
    ...withoutRefused(verdict)
      .facets.slice(0, MAX_FACETS)
      .flatMap((facet) => [
        ...facetLines(facet, row),
        ...explanationsOf(verdict, facet).map(({ text }) => row('closer look', plainLine(text, 400))),
      ]),
    ...(verdict.controls.length === 0
      ? [row('control', 'none could be run')]
      : verdict.controls.map((control) => row('control', controlLine(control)))),
    ...(verdict.levers ?? []).map((lever) => row('lever', leverLine(lever))),
    ...verdict.findings
      .filter((finding) => finding.level !== 'refuted')
      .map((finding) =>
        row('integrity', `${finding.level} ${plainLine(`${finding.rule} ${findingPlace(finding)} ${finding.message}`, 240)}`),
      ),
    ...refusedStatements(verdict)
      .slice(0, MAX_FACETS)
      .map(({ text, note }) => row('ungrounded', plainLine(`${text} – ${note ?? ''}`, 240))),
    ...(verdict.needs ?? []).flatMap(({ what, form, give }) => [
      row('needs', plainLine(what, 240)),
      row('form', plainLine(form, 240)),
      row('to give it', plainLine(give, 240)),
    ]),
    ...verdict.missing.slice(0, MAX_FACETS).map((item) => row('missing', plainLine(item, 200))),
    ...verdict.skipped.slice(0, MAX_FACETS).map((item) => row('skipped', plainLine(item, 200))),
    ...(verdict.ranking === undefined ? [] : [row('contexts', plainLine(rankingWords(verdict.ranking), 240))]),
    row('cost', `${secondsWords(verdict.seconds)}, ${verdict.trials} trials, ${costWords(verdict.cost)}`),
    ...linkRows(verdict, links, row),
    ...templateLines(verdict),
  ];
  return lines.join('\n');
}

/** What to ask the reporter for, ready to paste. */
function templateLines(verdict: Verdict): string[] {
  const template = verdict.verdict === 'needs_info' ? needsInfoTemplate(verdict.missing) : '';
  return template === '' ? [] : ['', ...template.split('\n')];
}

function stateWord(verdict: Verdict, colors: Colors): string {
  if (isReproduced(verdict.verdict)) return colors.green(`✔ ${verdict.verdict}`);
  if (verdict.verdict === 'infra_error') return colors.red(`✖ ${verdict.verdict}`);
  return colors.yellow(`● ${verdict.verdict}`);
}

function facetLines(facet: FacetResult, row: (label: string, text: string) => string): string[] {
  const first = row('reported', `${plainLine(facet.statement, 160)}${facet.live ? '' : ' (not as observed)'}`);
  const grounding = facet.grounding[0];
  const observed = grounding === undefined ? '' : `: ${plainLine(grounding.text, 160)} (${groundingPlace(grounding)})`;
  return [first, row('observed', `${facet.state}${observed}`)];
}

function controlLine(control: ControlResult): string {
  return `${control.arm}: ${controlWords(control)}, ${plainLine(control.label, 120)}`;
}

function leverLine(result: LeverResult): string {
  return `${leverEffectWords(result)}: ${leverResultWords(result)}`;
}

function linkRows(verdict: Verdict, links: VerdictLinks, row: (label: string, text: string) => string): string[] {
  const rows: string[] = [];
  if (links.folder !== null) rows.push(row('folder', links.folder));
  if (links.folder !== null && verdict.statements !== undefined) rows.push(row('page', `${links.folder}/result.html`));
  if (links.folder !== null && verdict.bundle !== null) rows.push(row('bundle', `${links.folder}/${plainLine(verdict.bundle.path)}`));
  if (links.uiUrl !== null) rows.push(row('Temporal UI', links.uiUrl));
  if (links.next !== null) rows.push(row('next', links.next));
  return rows;
}

/** One line of a run's story; `sinceMilliseconds` is when the run began, for the clock in front. */
export function renderTerminalEvent(event: RunEvent, sinceMilliseconds: number, { color }: TerminalOptions): string {
  const colors = createColors(color);
  const seconds = Math.max(0, (Date.parse(event.at) - sinceMilliseconds) / 1000);
  const clock = `${String(Math.floor(seconds / 60)).padStart(3)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
  return `${colors.dim(clock)}  ${colors.cyan(plainLine(event.phase, 20).padEnd(11))} ${plainLine(event.message, 300)}`;
}
