import { createHash } from 'node:crypto';
import {
  answerSection,
  attemptSection,
  controlSection,
  leverSection,
  doubtSections,
  environmentSection,
  facetSection,
  findingSection,
  missingSections,
  skippedSection,
  verdictSentenceHtml,
} from './html/answer-sections.js';
import { evidenceSection, replaySection, reportSection, scriptSection } from './html/evidence-sections.js';
import { PAGE_STYLE } from './html/page-style.js';
import { markup } from './html/safe-html.js';
import type { SafeHtml } from './html/safe-html.js';
import { plainLine } from './plain-text.js';
import type { ResultMaterial } from './result/result-material.js';
import { STATE_WORDS, stateTone } from './result/state-words.js';

/** Nothing is loaded, nothing runs; the one style is named by its hash. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/**
 * The result as one page that needs nothing else: no script, no address outside its own folder. Every text of report, project or
 * script is escaped and loses control and direction characters. Pure: equal material gives equal bytes.
 */
export function renderHtml(material: ResultMaterial): string {
  const { verdict } = material;
  const words = STATE_WORDS[verdict.verdict];
  const { sign, tone } = stateTone(verdict.verdict);
  const title = plainLine(material.title, 160);
  const head = markup`<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <title>${words.title}: ${title}</title>`;
  const top = markup`<header>
    <a class="skip" href="#content">To the answer</a>
    <p class="state ${tone}"><span aria-hidden="true">${sign}</span> ${words.title}</p>
    <h1>${title}</h1>
  </header>`;
  const answer = markup`<p class="sentence">${verdictSentenceHtml(material)}</p>
    <p>${words.meaning}</p>
    <p><strong>Next:</strong> ${words.next}</p>`;
  // the style goes in as it is: escaped, its hash would not be that of what the browser reads
  return `<!doctype html>\n<html lang="en">\n<head>\n${head.markup}\n<style>${PAGE_STYLE}</style>\n</head>\n<body>\n${top.markup}\n<main id="content">\n${answer.markup}\n${sections(material).markup}\n</main>\n${foot(material).markup}\n</body>\n</html>\n`;
}

function sections(material: ResultMaterial): SafeHtml {
  return markup`${answerSection(material)} ${facetSection(material)} ${missingSections(material)} ${controlSection(material)} ${leverSection(material)}
  ${findingSection(material)} ${scriptSection(material)} ${replaySection(material)} ${environmentSection(material)}
  ${attemptSection(material)} ${skippedSection(material)} ${doubtSections(material)} ${reportSection(material)} ${evidenceSection(material)}`;
}

function foot({ verdict }: ResultMaterial): SafeHtml {
  const run = plainLine(verdict.runId, 160);
  return markup`<footer>
    <p>
      Made by Reenact from recorded evidence; what the sentences rest on was checked when this page was written. Run <code>${run}</code>.
      The same as data: <a href="verdict.json">verdict.json</a>, as text: <a href="verdict.md">verdict.md</a>.
    </p>
  </footer>`;
}
