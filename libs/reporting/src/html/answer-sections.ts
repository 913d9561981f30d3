import { leverResultWords, leverWords, rankingWords } from '@reenact/domain';
import type { ControlResult, FacetResult, Finding, Need } from '@reenact/domain';
import { needsInfoTemplate } from '../needs-info-template.js';
import { plainLine } from '../plain-text.js';
import { refusedStatements, saidAbout } from '../result/result-material.js';
import type { ResultMaterial } from '../result/result-material.js';
import {
  controlWords,
  costWords,
  depthWords,
  findingPlace,
  gradeWords,
  leverEffectWords,
  rateWords,
  secondsWords,
} from '../verdict-words.js';
import { plainPre, refsOf, sentence, sentences, table } from './html-parts.js';
import { rateBar } from './rate-bar.js';
import { fragmentId, markup, joinHtml } from './safe-html.js';
import type { SafeHtml } from './safe-html.js';

const MAX_ROWS = 60;

/** A heading with its content; nothing where the content is empty. */
export function section(id: string, title: string, content: SafeHtml): SafeHtml {
  return content.markup === ''
    ? markup``
    : markup`<section aria-labelledby="${id}">
        <h2 id="${id}">${title}</h2>
        ${content}
      </section>`;
}

/** Rate, grade, depth, environment, cost. */
export function answerSection(material: ResultMaterial): SafeHtml {
  const { verdict } = material;
  const about = (kind: 'grade' | 'depth' | 'environment' | 'run') =>
    joinHtml(
      saidAbout(verdict, kind).map((one) => sentence(one, material)),
      ' ',
    );
  const rows: [string, SafeHtml][] = [
    ['Rate', markup`${rateWords(verdict.rate)}${rateBar(verdict.rate)}`],
    ['Grade', markup`${gradeWords(verdict)}. ${about('grade')}`],
    ['Depth', saidAbout(verdict, 'depth').length > 0 ? about('depth') : markup`${depthWords(verdict.depth)}`],
    ...(verdict.reason === null ? [] : [['Reason', markup`${plainLine(verdict.reason)}`] as [string, SafeHtml]]),
    ['Cost', markup`${secondsWords(verdict.seconds)}, ${verdict.trials} trials, ${costWords(verdict.cost)}`],
    ...(verdict.ranking === undefined
      ? []
      : [['Contexts', markup`${plainLine(rankingWords(verdict.ranking), 300)}`] as [string, SafeHtml]]),
    ['Run', markup`<code>${plainLine(verdict.runId)}</code>`],
  ];
  const list = joinHtml(
    rows.map(
      ([name, value]) =>
        markup`<dt>${name}</dt>
          <dd>${value}</dd>`,
    ),
  );
  return section('answer', 'The answer in figures', markup`<dl>${list}</dl>`);
}

/** Interpreter, versions, sandbox. */
export function environmentSection(material: ResultMaterial): SafeHtml {
  const { environment } = material.verdict;
  const id = environment === null ? markup`` : markup`<p class="soft small">Environment <code>${plainLine(environment.id)}</code></p>`;
  const said = sentences(saidAbout(material.verdict, 'environment'), material);
  return section('environment', 'Environment', markup`${said}${id}`);
}

/** Each claimed symptom beside what was seen. */
export function facetSection(material: ResultMaterial): SafeHtml {
  return section(
    'facets',
    'Reported and observed',
    joinHtml(material.verdict.facets.slice(0, MAX_ROWS).map((facet) => facetCard(facet, material))),
  );
}

function facetCard(facet: FacetResult, material: ResultMaterial): SafeHtml {
  const said = saidAbout(material.verdict, 'facet', facet.id);
  const reported = said.filter(({ rests }) => rests.length === 1 && (rests[0]?.type === 'report' || rests[0]?.type === 'claim'));
  const observed = said.filter((one) => !reported.includes(one));
  const live = facet.live ? '' : ' (not stated as observed, so it does not count)';
  const nothing = observed.length === 0 ? markup`<p>Nothing that answers it.</p>` : markup``;
  return markup`<article id="facet-${fragmentId(facet.id)}">
    <h3>${facet.state}: ${plainLine(facet.statement, 300)}${live}</h3>
    <div class="pair">
      <div>
        <h4>Reported</h4>
        ${sentences(reported, material)}
      </div>
      <div>
        <h4>Observed</h4>
        ${sentences(observed, material)}${nothing}
      </div>
    </div>
  </article>`;
}

/** The control arms as a table, the candidate in its first row to compare with. */
export function controlSection(material: ResultMaterial): SafeHtml {
  const { controls, rate } = material.verdict;
  if (controls.length === 0) return section('controls', 'Controls', markup`<p>None could be run.</p>`);
  const candidate = markup`<tr>
    <th scope="row">candidate</th>
    <td>the subject as reported</td>
    <td>${rateWords(rate)}${rateBar(rate)}</td>
    <td>–</td>
    <td>–</td>
  </tr>`;
  const rows = [candidate, ...controls.map((control) => controlRow(control, material))];
  const columns = ['Arm', 'What is changed', 'Outcome', 'p', 'Said of it'];
  return section('controls', 'Controls', table(columns, rows, 'A control is a set of runs in which the symptom must be gone.'));
}

/** What was set on purpose, and what it does to the symptom; nothing where nothing was. */
export function leverSection({ verdict }: ResultMaterial): SafeHtml {
  const rows = (verdict.levers ?? []).map(
    (result) =>
      markup`<tr>
        <th scope="row">${leverWords(result.lever)}</th>
        <td>${leverEffectWords(result)}</td>
        <td>${leverResultWords(result)}</td>
      </tr>`,
  );
  if (rows.length === 0) return markup``;
  const caption = 'Conditions that were set on purpose, to see what decides when the symptom comes.';
  return section('levers', 'Levers', table(['Set', 'Effect', 'Trials'], rows, caption));
}

function controlRow(control: ControlResult, material: ResultMaterial): SafeHtml {
  const said = joinHtml(
    saidAbout(material.verdict, 'control', control.arm).map((one) => sentence(one, material)),
    ' ',
  );
  const bar = control.rate.total === 0 ? markup`` : markup`<br />${rateWords(control.rate)}${rateBar(control.rate)}`;
  const p = control.p === null ? '–' : control.p.toPrecision(2);
  return markup`<tr>
    <th scope="row">${control.arm}</th>
    <td>${plainLine(control.label, 300)}</td>
    <td>${controlWords(control)}${bar}</td>
    <td>${p}</td>
    <td>${said}</td>
  </tr>`;
}

/** Findings of the integrity rules; each has an id. */
export function findingSection(material: ResultMaterial): SafeHtml {
  const { findings } = material.verdict;
  if (findings.length === 0) return section('integrity', 'Integrity', markup`<p>Nothing was found that makes the script doubtful.</p>`);
  const rows = findings.slice(0, MAX_ROWS).map((finding, index) => findingRow(finding, index, material));
  return section('integrity', 'Integrity', table(['Rule', 'Level', 'Place', 'What'], rows));
}

function findingRow(finding: Finding, index: number, { scripts }: ResultMaterial): SafeHtml {
  const place = plainLine(findingPlace(finding), 200);
  const at = scripts.findIndex(({ path }) => path === finding.file);
  const link = at < 0 || finding.line === undefined ? markup`${place}` : markup`<a href="#script-${at}-L${finding.line}">${place}</a>`;
  const why = finding.evidence === undefined ? '' : ` (${plainLine(finding.evidence, 400)})`;
  return markup`<tr id="finding-${index}">
    <th scope="row">${plainLine(finding.rule, 80)}</th>
    <td>${finding.level}</td>
    <td>${link}</td>
    <td>${plainLine(finding.message, 400)}${why}</td>
  </tr>`;
}

/** Every attempt of the run with what came of it. */
export function attemptSection({ verdict }: ResultMaterial): SafeHtml {
  if (verdict.attempts.length === 0) return markup``;
  const rows = verdict.attempts.slice(0, MAX_ROWS).map(
    ({ context, attempt, origin, result, note }) =>
      markup`<tr id="attempt-${context}-${attempt}">
        <th scope="row">${context}-${attempt}</th>
        <td>${plainLine(origin, 60)}</td>
        <td>${plainLine(result, 60)}</td>
        <td>${plainLine(note, 600)}</td>
      </tr>`,
  );
  return section('attempts', 'Attempts', table(['Attempt', 'Origin', 'Result', 'What came of it'], rows));
}

/** What is missing, on this machine or in the report, and the questions to send. */
export function missingSections({ verdict }: ResultMaterial): SafeHtml {
  const template = verdict.verdict === 'needs_info' ? needsInfoTemplate(verdict.missing) : '';
  return joinHtml([
    section('needs', 'What is missing here', needsTable(verdict.needs ?? [])),
    section('missing', 'What the report lacks', plainList(verdict.missing)),
    section('template', 'To ask the reporter', template === '' ? markup`` : plainPre(template.split('\n'))),
  ]);
}

/** The contract of each missing thing. */
function needsTable(needs: readonly Need[]): SafeHtml {
  if (needs.length === 0) return markup``;
  const rows = needs.map(
    ({ reason, what, form, give }) =>
      markup`<tr>
        <th scope="row">${plainLine(what, 400)}</th>
        <td>${reason}</td>
        <td>${plainLine(form, 400)}</td>
        <td>${plainLine(give, 400)}</td>
      </tr>`,
  );
  return table(['What', 'Kind', 'In which form', 'How to give it'], rows);
}

/** Steps that were left out, and why. */
export function skippedSection({ verdict }: ResultMaterial): SafeHtml {
  return section('skipped', 'What was skipped', plainList(verdict.skipped));
}

function plainList(items: readonly string[]): SafeHtml {
  if (items.length === 0) return markup``;
  return markup`<ul>${items.slice(0, MAX_ROWS).map((item) => markup`<li>${plainLine(item)}</li>`)}</ul>`;
}

/** Ideas that nobody has seen come true, and sentences that the checker refused: neither is part of the answer. */
export function doubtSections(material: ResultMaterial): SafeHtml {
  const ideas = (material.verdict.statements ?? []).filter(({ standing }) => standing === 'hypothesis');
  const refused = refusedStatements(material.verdict);
  const item = (text: string, note: string) => markup`<li>${plainLine(text, 600)}${note === '' ? '' : ` – ${plainLine(note, 300)}`}</li>`;
  const ideaList = markup`<p>Ideas behind the scripts that were tried. Nothing here was shown.</p>
    <ul>
      ${ideas.map(({ text }) => item(text, ''))}
    </ul>`;
  const refusedList = markup`<p>Sentences that do not follow from the record that they name. They are no part of the answer.</p>
    <ul>
      ${refused.map((one) => markup`${item(one.text, one.note ?? '')}`)}
    </ul>`;
  return joinHtml([
    section('hypotheses', 'Hypotheses', ideas.length === 0 ? markup`` : ideaList),
    section('not-grounded', 'Not grounded', refused.length === 0 ? markup`` : refusedList),
  ]);
}

/** The verdict's own sentence, each part with its links. */
export function verdictSentenceHtml(material: ResultMaterial): SafeHtml {
  const clauses = saidAbout(material.verdict, 'verdict');
  if (clauses.length === 0) return markup`${plainLine(material.verdict.sentence, 1200)}`;
  const parts = clauses.map(
    ({ text, joint, rests }, index) => markup`${index === 0 ? '' : (joint ?? '; ')}${plainLine(text, 1200)}${refsOf(rests, material)}`,
  );
  return markup`${joinHtml(parts)}.`;
}
