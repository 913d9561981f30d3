import { leverResultWords, leverWords } from '@reenact/domain';
import type { FacetResult, Verdict } from '@reenact/domain';
import { codeCell, codeSpan, escapeProse } from './markdown-text.js';
import { needsInfoTemplate } from './needs-info-template.js';
import {
  controlWords,
  costWords,
  depthWords,
  findingPlace,
  gradeWords,
  groundingPlace,
  leverEffectWords,
  rateWords,
  secondsWords,
  shownByWords,
} from './verdict-words.js';

const MAX_GROUNDINGS = 3;
const MAX_ROWS = 60;

/** Lists and quoted texts that a report could otherwise drown the page with. */
export interface MarkdownOptions {
  /** Title of the report; untrusted. */
  title: string;
}

/**
 * The verdict as a page for people (`verdict.md`). Every number comes from the verdict; texts from the report, the project or a script are
 * escaped, so that nothing in them becomes markup, HTML, a link or a mention. Pure: equal verdicts give equal bytes.
 */
export function renderMarkdown(verdict: Verdict, options: MarkdownOptions): string {
  const sections = [
    `# ${codeSpan(verdict.verdict)}: ${escapeProse(options.title, 160)}`,
    `**${escapeProse(verdict.sentence, 1200)}**`,
    summaryTable(verdict),
    facetSection(verdict),
    controlSection(verdict),
    leverSection(verdict),
    findingSection(verdict),
    attemptSection(verdict),
    listSection('What the report lacks', verdict.missing),
    templateSection(verdict),
    listSection('What was skipped', verdict.skipped),
    replaySection(verdict),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** What to ask the reporter for, ready to paste. */
function templateSection(verdict: Verdict): string {
  const template = verdict.verdict === 'needs_info' ? needsInfoTemplate(verdict.missing) : '';
  return template === '' ? '' : `## To ask the reporter\n\n${template}`;
}

function summaryTable(verdict: Verdict): string {
  const environment = verdict.environment;
  const rows: [string, string][] = [
    ['Rate', rateWords(verdict.rate)],
    ['Grade', `${escapeProse(gradeWords(verdict))}${verdict.gradeReason === '' ? '' : `: ${escapeProse(verdict.gradeReason)}`}`],
    ['Depth', depthWords(verdict.depth)],
    ...(verdict.reason === null ? [] : [['Reason', escapeProse(verdict.reason)] as [string, string]]),
    [
      'Environment',
      environment === null
        ? 'none'
        : `${codeCell(environment.id)}, Python ${codeCell(environment.python)}, sandbox ${codeCell(environment.sandbox)}`,
    ],
    ['Trials', String(verdict.trials)],
    ['Model', costWords(verdict.cost)],
    ['Time', secondsWords(verdict.seconds)],
    ['Run', codeCell(verdict.runId)],
  ];
  return table(['', ''], rows);
}

function facetSection(verdict: Verdict): string {
  if (verdict.facets.length === 0) return '';
  return ['## Reported and observed', ...verdict.facets.slice(0, MAX_ROWS).map(facetText)].join('\n\n');
}

function facetText(facet: FacetResult): string {
  const lines = [
    `### ${codeSpan(facet.id)}: ${facet.state}`,
    '',
    `- Reported${facet.live ? '' : ' (not as observed, so it does not count)'}: ${codeSpan(facet.statement, 500)}`,
    `- Rate: ${rateWords(facet.rate)}, ${shownByWords(facet)}`,
  ];
  for (const grounding of facet.grounding.slice(0, MAX_GROUNDINGS)) {
    lines.push(`- Observed: ${codeSpan(grounding.text, 500)} (${escapeProse(groundingPlace(grounding))})`);
  }
  if (facet.grounding.length > MAX_GROUNDINGS)
    lines.push(`- … and ${facet.grounding.length - MAX_GROUNDINGS} more observations in \`verdict.json\``);
  if (facet.grounding.length === 0) lines.push('- Observed: nothing that answers it');
  if (facet.note !== undefined && facet.note !== '') lines.push(`- Note: ${escapeProse(facet.note)}`);
  return lines.join('\n');
}

function controlSection(verdict: Verdict): string {
  if (verdict.controls.length === 0) return '## Controls\n\nNone could be run.';
  const rows = verdict.controls.map((control) => [
    control.arm,
    codeCell(control.label),
    controlWords(control),
    control.p === null ? '–' : control.p.toPrecision(2),
    control.note === '' ? '–' : escapeProse(control.note, 300),
  ]);
  return `## Controls\n\n${table(['arm', 'what is changed', 'outcome', 'p', 'note'], rows)}`;
}

/** Nothing where none was tried. */
function leverSection(verdict: Verdict): string {
  const levers = verdict.levers ?? [];
  if (levers.length === 0) return '';
  const rows = levers.map((result) => [leverWords(result.lever), leverEffectWords(result), leverResultWords(result)]);
  return `## Levers\n\n${table(['set on purpose', 'effect', 'trials'], rows)}`;
}

function findingSection(verdict: Verdict): string {
  if (verdict.findings.length === 0) return '## Integrity\n\nNothing was found.';
  const rows = verdict.findings
    .slice(0, MAX_ROWS)
    .map((finding) => [
      codeCell(finding.rule),
      finding.level,
      codeCell(findingPlace(finding)),
      `${escapeProse(finding.message, 300)}${finding.evidence === undefined ? '' : ` (${escapeProse(finding.evidence, 300)})`}`,
    ]);
  return `## Integrity\n\n${table(['rule', 'level', 'place', 'what'], rows)}`;
}

function attemptSection(verdict: Verdict): string {
  if (verdict.attempts.length === 0) return '';
  const rows = verdict.attempts
    .slice(0, MAX_ROWS)
    .map((one) => [
      `${one.context}-${one.attempt}`,
      escapeProse(one.origin),
      codeCell(one.result),
      one.note === '' ? '–' : escapeProse(one.note, 300),
    ]);
  const intro = 'Script, output and evidence of each lie in `attempts/<context>-<attempt>/`.';
  return `## Attempts\n\n${intro}\n\n${table(['attempt', 'origin', 'result', 'note'], rows)}`;
}

function listSection(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : [`## ${title}`, '', ...items.slice(0, MAX_ROWS).map((item) => `- ${escapeProse(item)}`)].join('\n');
}

function replaySection(verdict: Verdict): string {
  if (verdict.bundle === null) return '';
  const lines = [
    '## Replay',
    '',
    `Bundle ${codeSpan(verdict.bundle.id)} is the file ${codeSpan(verdict.bundle.path)} beside this page.`,
    '',
    '```sh',
    `./reenact replay ${shellWord(verdict.runId)}   # fresh trials, no model`,
    `./reenact open ${shellWord(verdict.runId)}     # unpacks it; sh run.sh then runs it by hand`,
    '```',
  ];
  return lines.join('\n');
}

/** A run id is a plain name by construction; anything else is left out rather than quoted. */
function shellWord(text: string): string {
  return /^[\w.-]{1,128}$/.test(text) ? text : 'RUN';
}

function table(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
