import type { PythonNode } from '@reenact/code-index';
import type { EvidenceOf, Facet, Finding, Frame } from '@reenact/domain';
import { decide, groundingRecords, persistence, trialsOf } from '../arm-facts.js';
import { claimsException, textMatchers } from '../claimed-signal.js';
import { canonicalOf, innermostStatement } from '../flow-queries.js';
import { lentMessages } from '../lent-words.js';
import { FROM_SUBJECT, has } from '../labels.js';
import { answered, type ConfirmInput, linesOf, placeOf, type Rule, type RuleInput, suspicion } from '../rule.js';
import type { StatementSite } from '../script-flow.js';
import { HOLE, templateOf } from '../text-template.js';

const CODE = 'raises-itself';

/** The claimed exception is raised by the script: a raise, an assert, code in a text, or an operation without the subject. */
export const raisesItself: Rule = {
  code: CODE,
  check(input) {
    return input.facets.flatMap((facet) => [
      ...input.script.statements.flatMap((site) => checkStatement(facet, site, input)),
      ...lentMessages(input.script, facet).map(({ call, text }) =>
        suspicion(CODE, 'the words of the claimed exception are given to other code by the script', {
          ...placeOf(call),
          facet: facet.id,
          detail: { lent: text.slice(0, 500) },
        }),
      ),
      ...input.script.calls.flatMap((call) => {
        const text =
          call.kind === 'launches' || call.name === 'builtins.compile' ? call.node.childForFieldName('arguments')?.text : undefined;
        if (text === undefined || !/\braise\s/.test(text) || !textMatchers(facet).some((matches) => matches(text.replaceAll('\\', ''))))
          return [];
        return [
          suspicion(CODE, 'code in a text raises the claimed exception', {
            ...placeOf(call),
            facet: facet.id,
            detail: { guarded: false, inText: true },
          }),
        ];
      }),
    ]);
  },
  confirm(finding, input) {
    const facet = input.facets.find((other) => other.id === finding.facet);
    const exceptions = facet === undefined ? [] : claimedExceptions(facet, input);
    const lent = finding.detail?.['lent'];
    if (typeof lent === 'string') return confirmLent(finding, lent, exceptions);
    const own = exceptions.filter((exception) => isRaisedThere(exception, finding));
    if (own.length === 0) return answered(finding, 'refuted', 'the claimed exception was not raised on this line');
    const persists = persistence(input, finding.facet);
    const literal =
      finding.detail?.['literal'] === true && !own.every((exception) => exception.causes.some((cause) => hasSubjectFrame(cause.frames)));
    if (literal)
      return answered(
        finding,
        'finding',
        `the claimed exception was raised by line ${finding.line ?? 0} of the script${persists === null ? '' : `; ${persists}`}`,
      );
    return decide(finding, input, `the claimed exception was raised by line ${finding.line ?? 0} of the script`);
  },
  observe(input) {
    const found = new Map<string, Finding>();
    for (const facet of input.facets) {
      for (const exception of unexplainedExceptions(facet, input)) {
        const finding = withoutSubject(facet, exception, input);
        if (finding !== null) found.set(`${finding.facet ?? ''}:${finding.line ?? 0}`, finding);
      }
    }
    return [...found.values()];
  },
};

/** What the exception says is what the script wrote: whoever raised it, the claimed words prove nothing. */
function confirmLent(finding: Finding, lent: string, exceptions: readonly EvidenceOf<'exception'>[]): Finding {
  const plain = (text: string): string => text.replace(/\d+/g, '0').replace(/\s+/g, ' ').trim();
  const said = exceptions.find(({ message }) => plain(message).includes(plain(lent)) || plain(lent).includes(plain(message)));
  if (said === undefined) return answered(finding, 'refuted', 'no claimed exception says what the script handed over');
  return answered(finding, 'finding', `record ${said.seq} says the words that line ${finding.line ?? 0} handed over`);
}

/** Those of trials in which the facet does not rest on the subject anyway: a parent raises again what its worker raised. */
function unexplainedExceptions(facet: Facet, input: ConfirmInput): EvidenceOf<'exception'>[] {
  const trials = input.trials.filter(
    (trial) => !groundingRecords(trial, facet.id).some((record) => record.kind === 'exception' && hasSubjectFrame(record.frames)),
  );
  return claimedExceptions(facet, { ...input, trials });
}

/** Exceptions of the candidate's trials that claim to be a facet's, whatever the oracle says of them. */
function claimedExceptions(facet: Facet, input: ConfirmInput): EvidenceOf<'exception'>[] {
  return trialsOf(input, 'candidate')
    .flatMap(({ records }) => records)
    .filter((record): record is EvidenceOf<'exception'> => record.kind === 'exception')
    .filter((record) => claimsException(facet, record.type, record.message) === 'type-and-message');
}

function checkStatement(facet: Facet, site: StatementSite, input: RuleInput): Finding[] {
  const { node, source } = site;
  const place = placeOf({ node, source });
  const guarded = has(site.labels | site.context, FROM_SUBJECT);
  if (node.type === 'assert_statement') {
    if (claimsException(facet, 'AssertionError', null) === 'no') return [];
    return [
      suspicion(CODE, guarded ? 'an assert of the script gives the claimed exception' : 'an assert that does not involve the subject', {
        ...place,
        facet: facet.id,
        detail: { ...linesOf(node), guarded },
      }),
    ];
  }
  if (node.type !== 'raise_statement') return [];
  const raised = node.namedChild(0);
  // A bare raise hands on what came from below, and so does the name of a caught exception.
  if (raised === null || (raised.type === 'identifier' && guarded)) return [];
  const callee = raised.type === 'call' ? raised.childForFieldName('function') : raised;
  const type = canonicalOf(input.script, callee, source) ?? callee?.text ?? '';
  const argument = raised.type === 'call' ? (raised.childForFieldName('arguments')?.namedChild(0) ?? null) : null;
  const template = argument === null ? '' : templateOf(input.script, argument, source).text;
  const isLiteral = ![...template].some((character) => character >= HOLE.first && character <= HOLE.last);
  const claims = claimsException(facet, type, isLiteral ? template : null);
  if (claims === 'no') return [];
  const literal = claims === 'type-and-message' && argument !== null;
  return [
    suspicion(CODE, 'the script raises the claimed exception itself', {
      ...place,
      facet: facet.id,
      detail: { ...linesOf(node), guarded, literal },
    }),
  ];
}

function isRaisedThere(exception: EvidenceOf<'exception'>, finding: Finding): boolean {
  if (finding.detail?.['inText'] === true)
    return !hasSubjectFrame(exception.frames) && !exception.causes.some((cause) => hasSubjectFrame(cause.frames));
  const innermost = exception.frames.at(-1);
  const [start, end] = [Number(finding.detail?.['startLine']), Number(finding.detail?.['endLine'])];
  return (
    innermost !== undefined &&
    isScriptFrame(innermost, finding.file ?? '') &&
    (innermost.line ?? 0) >= start &&
    (innermost.line ?? 0) <= end
  );
}

function isScriptFrame(frame: Frame, file: string): boolean {
  return frame.place === 'script' && frame.file.split('/').at(-1) === file;
}

function hasSubjectFrame(frames: readonly Frame[]): boolean {
  return frames.some((frame) => frame.place === 'subject');
}

/** An exception without any frame of the subject, from a line that has nothing of the subject in it. */
function withoutSubject(facet: Facet, exception: EvidenceOf<'exception'>, input: ConfirmInput): Finding | null {
  const chains = [exception.frames, ...exception.causes.map((cause) => cause.frames)];
  // Frames read from a launcher's text carry no place: nothing can be said about them.
  if (chains.some((frames) => hasSubjectFrame(frames) || frames.some((frame) => frame.place === undefined))) return null;
  const deepest = exception.frames.findLast((frame) => frame.place === 'script');
  const source = deepest === undefined ? undefined : input.script.sources.find((other) => isScriptFrame(deepest, other.file.path));
  const statement = source === undefined ? null : innermostStatement(source, deepest?.line ?? 0);
  if (deepest !== undefined && source !== undefined && statement !== null && dependsOnSubject(input, statement, source.file.path))
    return null;
  if (deepest === undefined && exception.raisedIn !== 'other') return null;
  const evidence = `record ${exception.seq}: ${exception.type} without any frame of the subject`;
  const place = source === undefined ? {} : { file: source.file.path, line: deepest?.line ?? 0 };
  const message = 'the claimed exception comes from code of the script that does not involve the subject';
  return { rule: CODE, level: 'finding', message, evidence, facet: facet.id, ...place };
}

function dependsOnSubject(input: ConfirmInput, statement: PythonNode, file: string): boolean {
  const inside = (node: PythonNode): boolean => node.startIndex >= statement.startIndex && node.endIndex <= statement.endIndex;
  const source = input.script.sources.find((other) => other.file.path === file);
  if (source === undefined) return false;
  const calls = input.script.calls.filter((call) => call.source === source && inside(call.node));
  if (calls.some((call) => has(call.callee | call.arguments | call.context, FROM_SUBJECT))) return true;
  const sites = input.script.statements.filter((site) => site.source === source && inside(site.node));
  if (sites.some((site) => has(site.labels | site.context, FROM_SUBJECT))) return true;
  return /^import_/.test(statement.type) || has(input.script.labelsOf(statement, source), FROM_SUBJECT);
}
