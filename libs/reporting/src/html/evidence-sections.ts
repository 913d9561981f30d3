import { plainLine } from '../plain-text.js';
import { recordWords } from '../result/record-words.js';
import { evidenceLink } from '../result/result-material.js';
import type { EvidenceExcerpt, ResultMaterial } from '../result/result-material.js';
import { section } from './answer-sections.js';
import { numberedLines, plainPre, reportId, trialId } from './html-parts.js';
import { markup, joinHtml } from './safe-html.js';
import type { SafeHtml } from './safe-html.js';

/** Trials of one arm whose records are shown on the page; the others are named with their file. */
const SHOWN_TRIALS = 3;
const REPORT_AROUND = 160;

/** Ranges of the report that sentences rest on, with some text around. */
export function reportSection({ verdict, reportText }: ResultMaterial): SafeHtml {
  if (reportText === null) return markup``;
  const spans = (verdict.statements ?? []).flatMap(({ rests }) => rests.flatMap((rest) => (rest.type === 'report' ? [rest.span] : [])));
  const distinct = spans.filter((span, index) => spans.findIndex((other) => reportId(other) === reportId(span)) === index);
  const quotes = distinct.slice(0, 40).map((span) => {
    const before = plainLine(reportText.slice(Math.max(0, span.start - REPORT_AROUND), span.start));
    const after = plainLine(reportText.slice(span.end, span.end + REPORT_AROUND));
    const said = plainLine(reportText.slice(span.start, span.end), 1000);
    return markup`<blockquote id="${reportId(span)}">
      <span class="soft">… ${before}</span> <strong>${said}</strong> <span class="soft">${after} …</span>
    </blockquote>`;
  });
  return section('report', 'From the report', joinHtml(quotes));
}

/** The trials, arm by arm, with the records that sentences rest on. */
export function evidenceSection(material: ResultMaterial): SafeHtml {
  const arms = [...new Set(material.excerpts.map(({ arm }) => arm))];
  const named = namedRecords(material);
  const parts = arms.map((arm) => {
    const trials = material.excerpts.filter((excerpt) => excerpt.arm === arm);
    return markup`<h3 id="arm-${arm}">${arm}: ${trials.length} ${trials.length === 1 ? 'trial' : 'trials'}</h3>
      ${trials.map((trial, index) => trialPart(trial, { isShown: index < SHOWN_TRIALS, named }))}`;
  });
  const intro = markup`<p>
    Records of the supervisor and of the probe in the interpreter, each with its number in the stream and its seconds since the trial began.
    A blue edge marks what a sentence above rests on.
  </p>`;
  return section('evidence', 'Evidence', parts.length === 0 ? markup`` : markup`${intro}${parts}`);
}

function namedRecords({ verdict }: ResultMaterial): ReadonlySet<string> {
  const rests = (verdict.statements ?? []).flatMap((statement) => statement.rests);
  return new Set(rests.flatMap((rest) => (rest.type === 'record' ? [trialId(rest.trial, rest.seq)] : [])));
}

function trialPart(excerpt: EvidenceExcerpt, { isShown, named }: { isShown: boolean; named: ReadonlySet<string> }): SafeHtml {
  const { trial, facets, recordCount, records } = excerpt;
  const states = facets.map(({ id, state }) => `${id} ${state}`).join(', ');
  const file = evidenceLink(trial);
  const link = file === null ? markup`` : markup` in <a href="${file}">${file}</a>`;
  const shown = records.filter(({ record }) => isShown || named.has(trialId(trial, record.seq)));
  const parts = shown.map(({ record }) => {
    const { label, lines } = recordWords(record);
    const id = trialId(trial, record.seq);
    const isNamed = named.has(id) ? ' named' : '';
    return markup`<div class="record${isNamed}" id="${id}">
      <span class="soft small">record ${record.seq}, ${record.t.toFixed(2)} s, ${record.source}: ${label}</span>${plainPre(lines)}
    </div>`;
  });
  return markup`<article id="${trialId(trial)}">
    <h4>Trial <code>${plainLine(trial, 120)}</code></h4>
    <p class="soft small">${plainLine(states, 400)}${states === '' ? '' : '; '}${recordCount} records, of these ${records.length}${link}</p>
    ${parts}
  </article>`;
}

/** The script with line numbers, or the command where the project's own entry point was run. */
export function scriptSection({ scripts, commands }: ResultMaterial): SafeHtml {
  const command =
    commands.length === 0
      ? markup``
      : markup`<p>It is started by</p>
          ${plainPre(commands)}`;
  const files = scripts.map(
    ({ path, text }, index) =>
      markup`<h3>${plainLine(path, 200)}</h3>
        ${numberedLines(text, `script-${index}`)}`,
  );
  const own =
    scripts.length === 0 && commands.length > 0 ? markup`<p>No script was written: the project's own entry point shows it.</p>` : markup``;
  return section('script', 'Script', markup`${command}${own}${files}`);
}

/** How to run it again. */
export function replaySection({ verdict }: ResultMaterial): SafeHtml {
  if (verdict.bundle === null) return markup``;
  const run = /^[\w.-]{1,128}$/.test(verdict.runId) ? verdict.runId : 'RUN';
  const path = plainLine(verdict.bundle.path, 120);
  const commands = [
    `./reenact replay ${run}     # fresh trials here, no model`,
    `./reenact replay bundle.tar   # the same on another machine`,
    `mkdir bundle && tar -xf bundle.tar -C bundle && cd bundle && sh run.sh   # by hand, without Reenact`,
  ];
  const intro = markup`<p>
    The bundle <a href="${encodeURIComponent(verdict.bundle.path)}">${path}</a> lies beside this page; its id is
    <code>${plainLine(verdict.bundle.id, 80)}</code>.
  </p>`;
  return section('replay', 'Run it again', markup`${intro}${plainPre(commands)}`);
}
