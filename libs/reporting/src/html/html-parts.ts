import type { Rest, Statement } from '@reenact/domain';
import { plainLine, plainLines } from '../plain-text.js';
import type { ResultMaterial } from '../result/result-material.js';
import { distinctRests, restWords } from '../result/rest-words.js';
import { fragmentId, markup, joinHtml } from './safe-html.js';
import type { SafeHtml } from './safe-html.js';

const MAX_LINES = 2000;
const MAX_CHARACTERS = 2000;

/** Id of a trial, or of a record of it, on the page. */
export function trialId(trial: string, seq?: number): string {
  return `trial-${fragmentId(trial)}${seq === undefined ? '' : `-seq-${seq}`}`;
}

/** A table with its columns' names; a wide one scrolls by itself. */
export function table(columns: readonly string[], rows: readonly SafeHtml[], caption = ''): SafeHtml {
  const heads = joinHtml(columns.map((name) => markup`<th scope="col">${name}</th>`));
  const above = caption === '' ? markup`` : markup`<caption>${caption}</caption>`;
  return markup`<div class="scroll">
    <table>
      ${above}
      <thead><tr>${heads}</tr></thead>
      <tbody>${joinHtml(rows)}</tbody>
    </table>
  </div>`;
}

/** Where a rest is shown on the page; null where the page has no place for it. */
function placeOf(rest: Rest, { verdict, excerpts, reportText }: ResultMaterial): string | null {
  switch (rest.type) {
    case 'record': {
      const shown = excerpts.find(({ trial }) => trial === rest.trial)?.records.some(({ record }) => record.seq === rest.seq);
      return shown === true ? trialId(rest.trial, rest.seq) : null;
    }
    case 'trials':
      return excerpts.some(({ arm }) => arm === rest.arm) ? `arm-${rest.arm}` : null;
    case 'finding':
      return `finding-${rest.index}`;
    case 'environment':
      return 'environment';
    case 'report':
      return reportText === null ? null : reportId(rest.span);
    case 'attempt':
      return verdict.attempts.length === 0 ? null : `attempt-${rest.context}-${rest.attempt}`;
    case 'claim':
    case 'judgement':
    case 'run':
      return null;
  }
}

/** Id of a quoted range of the report. */
export function reportId({ start, end }: { start: number; end: number }): string {
  return `report-${start}-${end}`;
}

/** Files beside the page that hold what the page itself does not show. */
function fileOf(rest: Rest, { hasClaim }: ResultMaterial): string | null {
  if (rest.type === 'claim') return hasClaim ? 'claim.json' : null;
  return rest.type === 'judgement' || rest.type === 'run' ? 'verdict.json' : null;
}

/** Links to what a statement rests on, one for each record or trial set. */
export function refsOf(rests: readonly Rest[], material: ResultMaterial): SafeHtml {
  const links = distinctRests(rests)
    .slice(0, 6)
    .map((rest) => {
      const words = plainLine(restWords(rest), 80);
      const place = placeOf(rest, material);
      const href = place === null ? fileOf(rest, material) : `#${place}`;
      return href === null ? markup` <span class="ref soft">${words}</span>` : markup` <a class="ref" href="${href}">${words}</a>`;
    });
  return joinHtml(links);
}

/** A statement as a sentence with its links. */
export function sentence(statement: Statement, material: ResultMaterial): SafeHtml {
  const text = plainLine(statement.text, 1200);
  return markup`${text}${/[.!?”]$/.test(text) ? '' : '.'}${refsOf(statement.rests, material)}`;
}

/** Statements as paragraphs. */
export function sentences(statements: readonly Statement[], material: ResultMaterial): SafeHtml {
  return joinHtml(statements.map((one) => markup`<p>${sentence(one, material)}</p>`));
}

/** Untrusted lines with numbers; each has an id, so that a finding can point at it. */
export function numberedLines(text: string, prefix: string): SafeHtml {
  const all = plainLines(text);
  const lines = all.slice(0, MAX_LINES).map((line, index) => {
    const shown = line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS - 1)}…` : line;
    return markup`<span id="${prefix}-L${index + 1}">${shown === '' ? ' ' : shown}</span>`;
  });
  const more = all.length > MAX_LINES ? markup`<p class="soft">… ${all.length - MAX_LINES} more lines are in the bundle.</p>` : markup``;
  return markup`<pre class="lines" tabindex="0">${joinHtml(lines)}</pre>
    ${more}`;
}

/** Untrusted lines as they are. */
export function plainPre(lines: readonly string[]): SafeHtml {
  return markup`<pre>${lines.map((line) => plainLines(line).join(' ').slice(0, MAX_CHARACTERS)).join('\n')}</pre>`;
}
