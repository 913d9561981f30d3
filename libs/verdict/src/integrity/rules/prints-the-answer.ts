import type { EvidenceRecord, Facet, Finding } from '@reenact/domain';
import { decide, groundingRecords, notShown, shownTrials, trialsOf } from '../arm-facts.js';
import { observedNames, textMatchers } from '../claimed-signal.js';
import { collectEmissions, collectObservations, type EmittedObservation, type Emission } from '../emissions.js';
import { lentLines } from '../lent-words.js';
import { FROM_SOURCE, FROM_SUBJECT, has, isConstant, type Labels } from '../labels.js';
import { answered, type ConfirmInput, placeOf, type Rule, type RuleInput, suspicion } from '../rule.js';
import type { CallSite } from '../script-flow.js';
import { HOLE, templateOf, type Hole, type Template } from '../text-template.js';

const CODE = 'prints-the-answer';

/** The oracle's text or number is a literal of the script, or reaches OBS without passing through the subject. */
export const printsTheAnswer: Rule = {
  code: CODE,
  check(input) {
    const emissions = collectEmissions(input.script);
    const observations = collectObservations(emissions);
    return input.facets.flatMap((facet) => [
      ...imitations(facet, emissions, observations),
      ...choices(facet, observations),
      ...printedChoices(facet, emissions),
      ...suspiciousChildren(facet, input),
      ...lentLines(input.script, facet).map(({ call, text }) =>
        suspicion(CODE, 'the claimed line is given to the subject by the script', {
          ...placeOf(call),
          facet: facet.id,
          detail: { guarded: false, template: text },
        }),
      ),
    ]);
  },
  confirm(finding, input) {
    const trials = shownTrials(input, finding.facet);
    if (trials.length === 0) return withoutSignal(finding, input);
    const fromLine = trials.some((trial) => groundingRecords(trial, finding.facet).some((record) => comesFrom(record, finding)));
    if (!fromLine) return answered(finding, 'refuted', 'what the signal rests on is not what this line prints');
    if (finding.detail?.['chosen'] === true) return answered(finding, 'finding', 'the number is chosen, not measured');
    if (isClaimedText(finding, input)) return answered(finding, 'finding', 'the text that is looked for is a literal of the script');
    return decide(finding, input, `the signal rests on what line ${finding.line ?? 0} prints`);
  },
};

/** An output is never shown by a literal of the script, whatever decides over it (verdict.md section 4, `output`). */
function isClaimedText(finding: Finding, input: ConfirmInput): boolean {
  const facet = input.facets.find(({ id }) => id === finding.facet);
  const isText = facet?.oracles.every(({ kind }) => kind === 'output' || kind === 'printed' || kind === 'exit') === true;
  return isText && facet.oracles.some(({ kind }) => kind !== 'exit') && typeof finding.detail?.['template'] === 'string';
}

/** A whole traceback that nothing of the subject decides over is made up, also where no oracle fell for it. */
function withoutSignal(finding: Finding, input: ConfirmInput): Finding {
  const template = finding.detail?.['template'];
  const isTraceback =
    typeof template === 'string' && template.includes('Traceback (most recent call last)') && finding.detail?.['guarded'] !== true;
  const printed =
    isTraceback &&
    trialsOf(input, 'candidate').some(({ records }) => records.some((record) => record.kind === 'stream' && comesFrom(record, finding)));
  return printed ? answered(finding, 'finding', `line ${finding.line ?? 0} prints a traceback that is made up`) : notShown(finding);
}

/**
 * Every oracle of a facet can be met by what the script writes by itself: a number that the subject has no say in, or
 * a text whose literal part holds the pattern. One oracle that needs the subject clears the facet.
 */
function imitations(facet: Facet, emissions: readonly Emission[], observations: readonly EmittedObservation[]): Finding[] {
  const sites: Site[][] = [];
  for (const oracle of facet.oracles) {
    if (oracle.kind === 'exit') continue;
    const names = observedNames(oracle);
    const found = names === null ? textSites(textMatchers({ ...facet, oracles: [oracle] }), emissions) : numberSites(names, observations);
    if (found.length === 0) return [];
    sites.push(found);
  }
  // An oracle that only guarded lines can meet makes the whole facet depend on the subject.
  const guarded = sites.some((group) => group.every((site) => site.guarded));
  return sites.flat().map((site) =>
    suspicion(CODE, site.message, {
      ...placeOf(site.emission.call),
      facet: facet.id,
      detail: { guarded: guarded || site.guarded, ...site.detail },
    }),
  );
}

interface Site {
  emission: Emission;
  message: string;
  guarded: boolean;
  detail: Record<string, string>;
}

/** Numbers: one place of each observed name has a value that the subject has no say in. */
function numberSites(names: readonly string[], observations: readonly EmittedObservation[]): Site[] {
  const found = names.map((name) => emittedAs(name, observations).find((site) => !has(site.labels, FROM_SUBJECT)));
  // What the text of the subject's source decides over is another rule's matter.
  if (found.some((site) => site === undefined || has(site.labels, FROM_SOURCE))) return [];
  const labels = found.reduce((sum, site) => sum | (site?.labels ?? 0), 0);
  const literals = names.flatMap((name, index) =>
    found[index]?.literal == null ? [] : [[`value:${name}`, found[index].literal] as const],
  );
  const message = `the observed ${names.join(', ')} ${isConstant(labels) ? 'is fixed by the script itself' : 'does not come from the subject'}`;
  const emission = found[0]?.emission;
  return emission === undefined
    ? []
    : [{ emission, message, guarded: !isConstant(labels), detail: { names: names.join(' '), ...Object.fromEntries(literals) } }];
}

/** Answers to a yes-or-no question; other numbers are a quantity, and one that is only chosen was never measured. */
const FLAGS = /^-?[01](?:\.0*)?$/;

/** Every number that an oracle compares is one of several that the script itself holds ready. */
function choices(facet: Facet, observations: readonly EmittedObservation[]): Finding[] {
  return facet.oracles.flatMap((oracle) => {
    const names = observedNames(oracle) ?? [];
    const sites = names.map((name) => emittedAs(name, observations));
    const isHeldReady = (site: EmittedObservation): boolean => site.literal !== null || isChosen(site);
    const first = sites.flat().find(isChosen);
    if (first === undefined || !sites.every((group) => group.length > 0 && group.every(isHeldReady))) return [];
    return [
      suspicion(CODE, `the observed ${names.join(', ')} is one of the numbers that the script holds ready`, {
        ...placeOf(first.emission.call),
        facet: facet.id,
        detail: { names: names.join(' '), chosen: true },
      }),
    ];
  });
}

function isChosen({ labels, choices }: Hole): boolean {
  return !has(labels, FROM_SOURCE) && choices.length > 1 && !choices.every((value) => FLAGS.test(value));
}

/** A line that the script prints as if the subject did, with a number that is one of several literals. */
function printedChoices(facet: Facet, emissions: readonly Emission[]): Finding[] {
  if (!facet.oracles.every((oracle) => oracle.kind === 'printed')) return [];
  const matchers = textMatchers(facet);
  const isReady = ({ template }: Emission): boolean =>
    template.holes.some(isChosen) && template.holes.every((hole) => hole.choices.length > 0);
  const holds = ({ template }: Emission): boolean => {
    const line = fillHoles(template);
    return matchers.every((matches) => matches(line));
  };
  return emissions
    .filter((emission) => isReady(emission) && holds(emission))
    .map((emission) =>
      suspicion(CODE, 'the number in the printed line is one of those that the script holds ready', {
        ...placeOf(emission.call),
        facet: facet.id,
        detail: { template: emission.template.text.slice(0, 2_000), chosen: true },
      }),
    );
}

/** The text with the first of its possible values in each hole. */
function fillHoles({ text, holes }: Template): string {
  return [...text]
    .map((character) =>
      character < HOLE.first || character > HOLE.last
        ? character
        : (holes[character.charCodeAt(0) - HOLE.first.charCodeAt(0)]?.choices[0] ?? ''),
    )
    .join('');
}

function emittedAs(name: string, observations: readonly EmittedObservation[]): EmittedObservation[] {
  const named = observations.filter((observation) => observation.name === name);
  return named.length > 0 ? named : observations.filter((observation) => observation.name === null);
}

/** Texts: the literal part of an emission holds the signal by itself. */
function textSites(matchers: readonly ((text: string) => boolean)[], emissions: readonly Emission[]): Site[] {
  const matching = emissions.filter((emission) => matchers.some((matches) => matches(withoutHoles(emission.template.text))));
  return matching.map((emission) => ({
    emission,
    message: 'the text that the report claims is a literal of the script',
    guarded: has(emission.labels, FROM_SUBJECT),
    detail: { template: emission.template.text.slice(0, 2_000) },
  }));
}

/** Children: a command or code text that the script starts holds the signal. */
function suspiciousChildren(facet: Facet, input: RuleInput): Finding[] {
  const matchers = textMatchers(facet);
  const names = facet.oracles.flatMap((oracle) => observedNames(oracle) ?? []);
  const found: Finding[] = [];
  for (const call of input.script.calls) {
    const given = call.node.childForFieldName('arguments');
    if (given === null || !(call.kind === 'launches' || isWrite(call))) continue;
    const text = given
      .descendantsOfType(['string', 'identifier'])
      .map((node) => (node === null ? '' : templateOf(input.script, node, call.source).text))
      .join('\n');
    const holdsValue = names.some((name) => text.includes(`${name}=`) && /\bOBS\b/.test(text));
    if (!holdsValue && !matchers.some((matches) => matches(withoutHoles(text)))) continue;
    const place = placeOf(call);
    const labels: Labels = call.arguments | call.context;
    found.push(
      suspicion(CODE, 'the script starts a child whose code holds the claimed signal', {
        ...place,
        facet: facet.id,
        detail: { guarded: has(labels, FROM_SUBJECT) || /\bimport\b/.test(text), child: text.slice(0, 4_000) },
      }),
    );
  }
  return found;
}

/** Code may be written to a file first; streams of the script itself are emissions. */
function isWrite(call: CallSite): boolean {
  const method = call.node.childForFieldName('function')?.childForFieldName('attribute')?.text ?? '';
  return call.kind === 'other' && /^(?:write|write_text|write_bytes|writelines|send|put)$/.test(method);
}

function withoutHoles(text: string): string {
  return [...text].filter((character) => character < HOLE.first || character > HOLE.last).join('');
}

function comesFrom(record: EvidenceRecord, finding: Finding): boolean {
  const detail = finding.detail ?? {};
  if (record.kind === 'obs' && typeof detail['names'] === 'string') {
    return detail['names'].split(' ').some((name) => name in record.values && sameValue(record.values[name], detail[`value:${name}`]));
  }
  const text = record.kind === 'stream' ? record.line : record.kind === 'warning' ? record.message : null;
  if (typeof detail['child'] === 'string') {
    if (record.kind === 'obs') return Object.keys(record.values).some((name) => String(detail['child']).includes(`${name}=`));
    return text !== null && text.trim() !== '' && detail['child'].includes(text.trim());
  }
  return text !== null && typeof detail['template'] === 'string' && fitsTemplate(text, detail['template']);
}

function sameValue(value: unknown, literal: unknown): boolean {
  // A value that is no literal, yet computed from constants: nothing to compare with.
  if (typeof literal !== 'string') return true;
  return String(value) === literal.replace(/^["']|["']$/g, '') || Number(value) === Number(literal) || JSON.stringify(value) === literal;
}

/** Whether a line holds the literal pieces of one line of a template in order. */
function fitsTemplate(line: string, template: string): boolean {
  const holes = new RegExp(`[${HOLE.first}-${HOLE.last}]+`);
  return template.split('\n').some((row) => {
    const pieces = row
      .split(holes)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '');
    let at = 0;
    const fits = pieces.every((piece) => {
      const found = line.indexOf(piece, at);
      at = found + piece.length;
      return found !== -1;
    });
    return fits && pieces.length > 0;
  });
}
