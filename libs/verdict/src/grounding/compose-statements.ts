import type {
  Clause,
  ControlResult,
  EvidenceOf,
  Explanation,
  FacetResult,
  Finding,
  Grounding,
  Rate,
  Rest,
  Statement,
  Verdict,
} from '@reenact/domain';
import { DEPTH_WORDS } from '@reenact/domain';
import { foldText, quoted } from './figures.js';
import { type Ledger, trialsOf } from './ledger.js';

/** What the sentences of a result are made from. */
export interface StatementMaterial {
  verdict: Verdict;
  /** The verdict's own sentence in parts. */
  clauses: readonly Clause[];
  ledger: Ledger;
  /** Ideas behind a model's scripts: nobody has seen them come true. */
  ideas: readonly { context: number; attempt: number; idea: string }[];
}

type Draft = Omit<Statement, 'id' | 'standing'> & { standing?: 'hypothesis' };

const MAX_OBSERVATIONS = 3;
const MAX_ITEMS = 60;

/** Every sentence of a result with what it rests on, not checked yet. Pure; ids follow the order. */
export function composeStatements({ verdict, clauses, ledger, ideas }: StatementMaterial): Statement[] {
  const drafts: Draft[] = [
    ...clauses.map(({ text, joint, rests }): Draft => ({ about: 'verdict', of: null, text, joint, rests })),
    ...verdict.facets.slice(0, MAX_ITEMS).flatMap((facet) => facetDrafts(facet, ledger)),
    ...(verdict.explanations ?? []).slice(0, MAX_ITEMS).map(explanationDraft),
    ...verdict.controls.flatMap((control) => controlDrafts(control, ledger)),
    ...verdict.findings.slice(0, MAX_ITEMS).map(findingDraft),
    ...gradeDrafts(verdict, ledger),
    ...environmentDrafts(ledger),
    ...verdict.attempts.slice(0, MAX_ITEMS).flatMap(attemptDrafts),
    ...ideas.slice(0, MAX_ITEMS).map(ideaDraft),
    runDraft(verdict),
  ];
  return drafts.map((draft, index) => ({ id: `s${index + 1}`, standing: 'grounded', ...draft }));
}

function candidateRest(ledger: Ledger, facet?: string): Rest {
  const trials = trialsOf(ledger, 'candidate').map(({ judged }) => judged.trial);
  return { type: 'trials', arm: 'candidate', trials, ...(facet === undefined ? {} : { facet }) };
}

function rateText({ shown, total, low, high }: Rate): string {
  return `${shown} of ${total} ${total === 1 ? 'trial' : 'trials'} (95 % interval ${Math.round(low * 100)}–${Math.round(high * 100)} %)`;
}

function facetDrafts(facet: FacetResult, ledger: Ledger): Draft[] {
  const { id, statement, rate, state, shownBy, grounding, note } = facet;
  const about = { about: 'facet', of: id } as const;
  const drafts: Draft[] = [{ ...about, text: `The report says ${quoted(statement)}`, rests: [reportRest(facet, ledger)] }];
  if (rate.total > 0) {
    const by = shownBy === 'harness' ? 'recorded by the harness' : 'measured by the script';
    drafts.push({ ...about, text: `${WORDS[state]} (${by}): ${rateText(rate)}`, rests: [candidateRest(ledger, id)] });
  }
  for (const ground of grounding.slice(0, MAX_OBSERVATIONS)) drafts.push({ ...about, ...observation(ground) });
  if (note) {
    const rests: Rest[] = [
      { type: 'claim', facet: id },
      ...(rate.total > 0 ? [candidateRest(ledger, id)] : []),
      ...grounding.slice(0, MAX_OBSERVATIONS).map(({ trial, seq }): Rest => ({ type: 'record', trial, seq })),
    ];
    drafts.push({ ...about, text: `${note[0]?.toUpperCase() ?? ''}${note.slice(1)}`, rests });
  }
  return drafts;
}

/** What a trial told that was recorded more closely: it explains a symptom and never proves it. */
function explanationDraft({ facet, text, grounding }: Explanation): Draft {
  const rests = grounding.map(({ trial, seq }): Rest => ({ type: 'record', trial, seq }));
  return { about: 'facet', of: facet, text: `A closer look, which proves nothing: ${text}`, rests };
}

const WORDS: Record<FacetResult['state'], string> = {
  shown: 'Shown',
  absent: 'Absent',
  collision: 'Another failure came instead',
  undecided: 'Undecided',
};

function observation({ trial, seq, text }: Grounding): Pick<Draft, 'text' | 'rests'> {
  return { text: `Trial ${trial} has ${quoted(text)}`, rests: [{ type: 'record', trial, seq }] };
}

/** The range of the report that says the symptom: the claim's own, else where its words stand; a reading of the report where they do not. */
function reportRest({ id, statement }: FacetResult, { claim, facets, reportText }: Ledger): Rest {
  const span = (claim?.facets.find((one) => one.id === id) ?? facets.find((one) => one.id === id))?.span ?? null;
  if (reportText === null) return { type: 'claim', facet: id };
  const wanted = foldText(statement);
  if (span !== null && foldText(reportText.slice(span.start, span.end)).includes(wanted)) return { type: 'report', span };
  const start = reportText.indexOf(statement.trim());
  if (start >= 0 && wanted !== '') return { type: 'report', span: { start, end: start + statement.trim().length } };
  return { type: 'claim', facet: id };
}

function controlDrafts({ arm, label, state, rate, p, note, trials }: ControlResult, ledger: Ledger): Draft[] {
  const about = { about: 'control', of: arm } as const;
  const own: Rest = { type: 'trials', arm, trials };
  if (rate.total === 0)
    return [{ ...about, text: `Not run${note === '' ? '' : `: ${note}`}`, rests: [{ type: 'judgement', field: 'controls' }, own] }];
  const rests = p === null ? [own] : [own, candidateRest(ledger)];
  const test = p === null ? '' : `; one-sided p = ${p.toPrecision(2)} against the candidate`;
  const changed = label === arm ? '' : ` with ${quoted(label, 200)}`;
  const drafts: Draft[] = [{ ...about, text: `${CONTROL_WORDS[state]}${changed}: ${rateText(rate)}${test}`, rests }];
  if (note !== '') drafts.push({ ...about, text: `${note[0]?.toUpperCase() ?? ''}${note.slice(1)}`, rests: [own] });
  return drafts;
}

const CONTROL_WORDS: Record<ControlResult['state'], string> = {
  absent: 'The symptom is gone',
  shown: 'The symptom is still there',
  undecided: 'It tells nothing',
  'not-run': 'Not run',
};

function findingDraft({ rule, message, evidence, file, line, level }: Finding, index: number): Draft {
  const place = file === undefined ? '' : ` in ${file}${line === undefined ? '' : `, line ${line}`}`;
  const why = evidence === undefined ? '' : ` (${evidence})`;
  return { about: 'finding', of: String(index), text: `${level} ${rule}${place}: ${message}${why}`, rests: [{ type: 'finding', index }] };
}

function gradeDrafts({ grade, gradeReason, depth, controls }: Verdict, ledger: Ledger): Draft[] {
  const seen = candidateRest(ledger);
  const graded: Rest[] = [{ type: 'judgement', field: 'grade' }, { type: 'environment' }, seen];
  const flips = controls.filter(({ state, trials }) => state === 'absent' && trials.length > 0);
  const reached: Rest[] = [
    { type: 'judgement', field: 'depth' },
    seen,
    ...flips.map(({ arm, trials }): Rest => ({ type: 'trials', arm, trials })),
  ];
  return [
    ...(grade === null ? [] : [{ about: 'grade', of: null, text: gradeReason, rests: graded } as const]),
    { about: 'depth', of: null, text: `${depth}: ${DEPTH_WORDS[depth]}`, rests: reached },
  ];
}

/** Interpreter and isolation, as the supervisor wrote them down in the first trial of the candidate. */
function environmentDrafts(ledger: Ledger): Draft[] {
  const [first] = trialsOf(ledger, 'candidate');
  if (first === undefined) return [];
  const drafts: Draft[] = [];
  for (const [seq, record] of first.records) {
    const rests: Rest[] = [{ type: 'record', trial: first.judged.trial, seq }];
    if (record.kind === 'environment') {
      const main = record.distributions.filter(({ name }) => MAIN.has(name.toLowerCase())).map(({ name, version }) => `${name} ${version}`);
      const text = `It ran with Python ${record.python}${main.length === 0 ? '' : `, ${main.join(', ')}`} on ${quoted(record.platform, 120)}`;
      drafts.push({ about: 'environment', of: null, text, rests });
    }
    if (record.kind === 'begin') {
      const parts = record.isolation.length === 0 ? '' : ` (${record.isolation.join(', ')})`;
      const text = `It ran ${PLACES[record.sandbox]}${record.sandbox === 'none' ? '' : parts}`;
      drafts.push({ about: 'environment', of: null, text, rests });
    }
  }
  return drafts;
}

/** Where a trial ran, for each kind of sandbox. */
const PLACES: Record<EvidenceOf<'begin'>['sandbox'], string> = {
  namespaces: 'in a sandbox of namespaces',
  pod: 'in a pod of a cluster',
  none: 'without a sandbox',
};

const MAIN: ReadonlySet<string> = new Set(['torch', 'tensorflow', 'jax', 'keras', 'numpy', 'scikit-learn', 'transformers', 'lightning']);

function attemptDrafts({ context, attempt, note }: Verdict['attempts'][number]): Draft[] {
  if (note === '') return [];
  return [{ about: 'attempt', of: `${context}-${attempt}`, text: quoted(note, 600), rests: [{ type: 'attempt', context, attempt }] }];
}

function ideaDraft({ context, attempt, idea }: StatementMaterial['ideas'][number]): Draft {
  return { about: 'idea', of: `${context}-${attempt}`, text: quoted(idea, 600), rests: [], standing: 'hypothesis' };
}

function runDraft({ trials, seconds, cost }: Verdict): Draft {
  const money = cost.costUsd === null ? 'price unknown' : `${cost.costUsd.toFixed(4)} USD`;
  const model =
    cost.modelCalls === 0
      ? 'no model was asked'
      : `${cost.modelCalls} model calls with ${cost.inputTokens} tokens in and ${cost.outputTokens} out, ${money}`;
  return { about: 'run', of: null, text: `${trials} trials and ${seconds} seconds; ${model}`, rests: [{ type: 'run' }] };
}
