import { leverResultWords, leverWords, rankingWords } from '@reenact/domain';
import type { FacetResult, Rest, Statement, Verdict } from '@reenact/domain';
import { codeCell, codeSpan, escapeProse } from './markdown-text.js';
import { needsInfoTemplate } from './needs-info-template.js';
import { evidenceLink, refusedStatements, saidAbout } from './result/result-material.js';
import type { ResultMaterial } from './result/result-material.js';
import { distinctRests, restWords } from './result/rest-words.js';
import { STATE_WORDS } from './result/state-words.js';
import {
  controlWords,
  costWords,
  depthWords,
  findingPlace,
  gradeWords,
  leverEffectWords,
  rateWords,
  secondsWords,
  shownByWords,
} from './verdict-words.js';

const MAX_ROWS = 60;
const MAX_LINKS = 6;
const REPORT_CHARACTERS = 600;

/**
 * The result as a page for people (`verdict.md`). Sentences link to the evidence that they rest on; texts from the report, the project
 * or a script are escaped, so that nothing in them becomes markup, HTML, a link or a mention. Pure: equal material gives equal bytes.
 */
export function renderMarkdown(material: ResultMaterial): string {
  const { verdict } = material;
  const words = STATE_WORDS[verdict.verdict];
  const sections = [
    `# ${codeSpan(verdict.verdict)}: ${escapeProse(material.title, 160)}`,
    `**${escapeProse(verdict.sentence, 1200)}**`,
    sentenceLinks(material),
    `${words.meaning} Next: ${words.next}`,
    summaryTable(material),
    facetSection(material),
    needsSection(verdict),
    listSection('What the report lacks', verdict.missing),
    templateSection(verdict),
    controlSection(material),
    leverSection(verdict),
    findingSection(verdict),
    attemptSection(verdict),
    listSection('What was skipped', verdict.skipped),
    doubtSections(verdict),
    reportSection(material),
    trialSection(material),
    replaySection(verdict),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** What each part of the verdict's sentence rests on. */
function sentenceLinks(material: ResultMaterial): string {
  const clauses = saidAbout(material.verdict, 'verdict');
  if (clauses.length === 0) return '';
  return ['It rests on', '', ...clauses.map((clause) => `- ${escapeProse(clause.text, 600)}: ${linksOf(clause.rests, material)}`)].join(
    '\n',
  );
}

function linksOf(rests: readonly Rest[], material: ResultMaterial): string {
  return distinctRests(rests)
    .slice(0, MAX_LINKS)
    .map((rest) => linkOf(rest, material))
    .join(', ');
}

function linkOf(rest: Rest, material: ResultMaterial): string {
  const words = escapeProse(restWords(rest), 100);
  const target = targetOf(rest, material);
  return target === null ? words : `[${words}](${target})`;
}

/** A file beside the page, or a heading of it. */
function targetOf(rest: Rest, { excerpts, reportText, hasClaim }: ResultMaterial): string | null {
  switch (rest.type) {
    case 'record': {
      const excerpt = excerpts.find(({ trial }) => trial === rest.trial);
      const line = excerpt?.records.find(({ record }) => record.seq === rest.seq)?.line;
      const file = evidenceLink(rest.trial);
      return line === undefined || file === null ? null : `${file}#L${line}`;
    }
    case 'trials':
      return excerpts.some(({ arm }) => arm === rest.arm) ? '#trials' : null;
    case 'finding':
      return '#integrity';
    case 'report':
      return reportText === null ? null : '#from-the-report';
    case 'attempt':
      return '#attempts';
    case 'claim':
      return hasClaim ? 'claim.json' : null;
    case 'environment':
    case 'judgement':
    case 'run':
      return 'verdict.json';
  }
}

/** A statement with its links; what it quotes stands as it is, escaped. */
function said(statement: Statement, material: ResultMaterial): string {
  return `${escapeProse(statement.text, 700)} (${linksOf(statement.rests, material)})`;
}

/** What to ask the reporter for, ready to paste. */
function templateSection(verdict: Verdict): string {
  const template = verdict.verdict === 'needs_info' ? needsInfoTemplate(verdict.missing) : '';
  return template === '' ? '' : `## To ask the reporter\n\n${template}`;
}

/** The contract of each thing that is missing on this machine. */
function needsSection(verdict: Verdict): string {
  const rows = (verdict.needs ?? []).map(({ reason, what, form, give }) => [
    escapeProse(what, 400),
    reason,
    escapeProse(form, 400),
    escapeProse(give, 400),
  ]);
  return rows.length === 0 ? '' : `## What is missing here\n\n${table(['what', 'kind', 'in which form', 'how to give it'], rows)}`;
}

function summaryTable(material: ResultMaterial): string {
  const { verdict } = material;
  const about = (kind: 'grade' | 'depth' | 'environment') => saidAbout(verdict, kind).map((one) => said(one, material));
  const rows: [string, string][] = [
    ['Rate', rateWords(verdict.rate)],
    ['Grade', [escapeProse(gradeWords(verdict)), ...about('grade')].join(': ')],
    ['Depth', about('depth')[0] ?? depthWords(verdict.depth)],
    ...(verdict.reason === null ? [] : [['Reason', escapeProse(verdict.reason)] as [string, string]]),
    ['Environment', about('environment').join('; ') || 'none'],
    ['Trials', String(verdict.trials)],
    ['Model', costWords(verdict.cost)],
    ...(verdict.ranking === undefined ? [] : [['Contexts', escapeProse(rankingWords(verdict.ranking), 300)] as [string, string]]),
    ['Time', secondsWords(verdict.seconds)],
    ['Run', codeCell(verdict.runId)],
  ];
  return table(['', ''], rows);
}

function facetSection(material: ResultMaterial): string {
  const { facets } = material.verdict;
  if (facets.length === 0) return '';
  return ['## Reported and observed', ...facets.slice(0, MAX_ROWS).map((facet) => facetText(facet, material))].join('\n\n');
}

function facetText(facet: FacetResult, material: ResultMaterial): string {
  const lines = [
    `### ${codeSpan(facet.id)}: ${facet.state}`,
    '',
    `- Reported${facet.live ? '' : ' (not as observed, so it does not count)'}: ${codeSpan(facet.statement, 500)}`,
    `- Rate: ${rateWords(facet.rate)}, ${shownByWords(facet)}`,
    ...saidAbout(material.verdict, 'facet', facet.id).map((one) => `- ${said(one, material)}`),
  ];
  if (facet.grounding.length === 0) lines.push('- Observed: nothing that answers it');
  return lines.join('\n');
}

function controlSection(material: ResultMaterial): string {
  const { controls } = material.verdict;
  if (controls.length === 0) return '## Controls\n\nNone could be run.';
  const rows = controls.map((control) => [
    control.arm,
    codeCell(control.label),
    controlWords(control),
    control.p === null ? '–' : control.p.toPrecision(2),
    saidAbout(material.verdict, 'control', control.arm)
      .map((one) => said(one, material))
      .join('; ') || '–',
  ]);
  return `## Controls\n\n${table(['arm', 'what is changed', 'outcome', 'p', 'what was seen'], rows)}`;
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
  return `## Attempts\n\n${table(['attempt', 'origin', 'result', 'note'], rows)}`;
}

function listSection(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : [`## ${title}`, '', ...items.slice(0, MAX_ROWS).map((item) => `- ${escapeProse(item)}`)].join('\n');
}

/** Ideas, and sentences that the checker refused: neither is part of the answer. */
function doubtSections(verdict: Verdict): string {
  const ideas = (verdict.statements ?? []).filter(({ standing }) => standing === 'hypothesis');
  return [
    listSection(
      'Hypotheses (nothing here was shown)',
      ideas.map(({ text }) => text),
    ),
    listSection(
      'Not grounded (no part of the answer)',
      refusedStatements(verdict).map(({ text, note }) => `${text} – ${note ?? ''}`),
    ),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

/** The ranges of the report that sentences rest on. */
function reportSection({ verdict, reportText }: ResultMaterial): string {
  if (reportText === null) return '';
  const spans = (verdict.statements ?? []).flatMap(({ rests }) => rests.flatMap((rest) => (rest.type === 'report' ? [rest.span] : [])));
  const quotes = spans.map(
    ({ start, end }) => `- characters ${start}–${end}: ${codeSpan(reportText.slice(start, end), REPORT_CHARACTERS)}`,
  );
  return quotes.length === 0 ? '' : ['## From the report', '', ...new Set(quotes.slice(0, MAX_ROWS))].join('\n');
}

/** Every trial with its arm and the file that holds what was kept of its evidence. */
function trialSection({ excerpts }: ResultMaterial): string {
  if (excerpts.length === 0) return '';
  const rows = excerpts.slice(0, 2 * MAX_ROWS).map(({ trial, arm, facets, recordCount, records }) => {
    const states = facets.map(({ id, state }) => `${id} ${state}`).join(', ');
    const file = evidenceLink(trial);
    const name = escapeProse(trial, 80);
    return [
      file === null ? name : `[${name}](${file})`,
      arm,
      states === '' ? '–' : escapeProse(states, 300),
      `${records.length} of ${recordCount}`,
    ];
  });
  return `## Trials\n\n${table(['trial', 'arm', 'facets', 'records kept'], rows)}`;
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
