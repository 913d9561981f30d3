import type { Oracle, OracleOf, Report } from '@reenact/domain';
import type { ExceptionMention } from './exception-mention.js';
import { shortType } from './exception-mention.js';
import type { FacetDraft } from './facet-id.js';
import type { LiveClause } from './live-clauses.js';
import { printedExceptions } from './printed-exceptions.js';
import { longestPiece, proseExceptions } from './prose-exceptions.js';

const IMPORT_TYPES = new Set(['ImportError', 'ModuleNotFoundError']);
/** A general name in prose and an exact one in a trace mean the same failure. */
const GENERAL_TYPES = new Set([
  'Exception',
  'BaseException',
  'Error',
  'RuntimeError',
  'OSError',
  'IOError',
  'EnvironmentError',
  'ValueError',
  'TypeError',
  'KeyError',
]);
const SUBTYPES: Readonly<Record<string, RegExp>> = {
  RuntimeError:
    /^(?:OutOfMemoryError|AcceleratorError|DistBackendError|DistError|DistNetworkError|NotImplementedError|RecursionError|.{0,40}RuntimeError|TorchRuntimeError|Unsupported|InternalTorchDynamoError|BackendCompilerFailed)$/,
  OSError:
    /^(?:FileNotFoundError|PermissionError|BlockingIOError|BrokenPipeError|ConnectionError|ConnectionResetError|TimeoutError|IOError)$/,
  ImportError: /^ModuleNotFoundError$/,
  ValueError: /^(?:JSONDecodeError|UnicodeDecodeError|UnicodeError|LinAlgError)$/,
  KeyError: /^.{0,40}KeyError$/,
};

/** Mentions of one symptom. */
interface Group {
  members: ExceptionMention[];
}

function maskedHead(text: string): string {
  return (text.split('\n', 1)[0] ?? '').toLowerCase().replace(/\d+/g, '#').replace(/\s+/g, ' ').trim();
}

function typesAgree(a: string, b: string): boolean {
  const left = shortType(a);
  const right = shortType(b);
  if (left === right || left === 'Exception' || right === 'Exception') return true;
  return (SUBTYPES[left]?.test(right) ?? false) || (SUBTYPES[right]?.test(left) ?? false);
}

function belongs(group: Group, mention: ExceptionMention): boolean {
  const printed = group.members.find((member) => member.strength !== 'prose');
  const typed = group.members.find((member) => member.type !== null);
  if (mention.type === null) return true;
  if (typed?.type !== undefined && typed.type !== null && !typesAgree(typed.type, mention.type)) return false;
  // Two printed errors of one type with other words are two errors.
  if (printed?.text != null && mention.strength !== 'prose' && mention.text !== null) {
    const a = maskedHead(printed.text);
    const b = maskedHead(mention.text);
    return a === b || a.startsWith(b) || b.startsWith(a);
  }
  return true;
}

const ORDER = { trace: 0, line: 1, prose: 2 } as const;

/** Sorts the mentions into symptoms: traces first, then printed lines, then prose, names before mere messages. */
function groupMentions(mentions: readonly ExceptionMention[]): Group[] {
  const sorted = [...mentions].sort(
    (a, b) => ORDER[a.strength] - ORDER[b.strength] || Number(a.type === null) - Number(b.type === null) || a.span.start - b.span.start,
  );
  const groups: Group[] = [];
  for (const mention of sorted) {
    const group = groups.find((candidate) => belongs(candidate, mention));
    if (group !== undefined) group.members.push(mention);
    // A described message alone, without type or quotation, is no error that can be checked.
    else if (mention.type !== null || (mention.text !== null && mention.text.length >= 12 && mention.weak !== true))
      groups.push({ members: [mention] });
  }
  return groups;
}

function messageOf(members: readonly ExceptionMention[]): OracleOf<'exception'>['message'] {
  const literal = members.find((member) => member.text !== null);
  if (literal?.text != null) {
    const cut = literal.strength === 'prose' ? literal.text : literal.text.slice(0, 2_000);
    const elided = literal.strength !== 'prose' && /\.{3}|…/.test(cut.split('\n', 1)[0] ?? '');
    const piece = elided ? longestPiece(cut.split('\n', 1)[0] ?? '') : null;
    return piece === null ? { text: cut, match: literal.match } : { text: piece, match: 'contains' };
  }
  const words = [...new Set(members.flatMap((member) => member.words))].slice(0, 5);
  return words.length === 0 ? undefined : { text: words.join(' '), match: 'keywords' };
}

/** The most exact type of a group. */
function typeOf(members: readonly ExceptionMention[]): string | null {
  const types = members.flatMap((member) => member.type ?? []);
  return types.find((type) => !GENERAL_TYPES.has(shortType(type))) ?? types[0] ?? null;
}

function isImport(type: string | null, members: readonly ExceptionMention[]): boolean {
  if (type === null || !IMPORT_TYPES.has(shortType(type))) return false;
  const frames = members[0]?.frames ?? [];
  const code = frames.at(-1)?.code;
  return code === undefined || /^(?:import|from)\s|import_module|__import__/.test(code.trim());
}

function toDraft(group: Group): FacetDraft {
  const { members } = group;
  const type = members[0]?.strength === 'prose' ? typeOf(members) : (members[0]?.type ?? typeOf(members));
  const message = messageOf(members);
  const told =
    members.find((member) => member.strength === 'prose' && member.type !== null) ??
    members.find((member) => member.text !== null) ??
    members[0];
  const frames = members[0]?.frames ?? [];
  const through = frames.length > 0 ? [] : [...new Set(members.flatMap((member) => member.through))].slice(0, 3);
  const types = type === null ? [] : [type];
  const oracle: Oracle = isImport(type, members)
    ? { kind: 'import', types, ...(message === undefined || message.match === 'keywords' ? {} : { message: message.text }) }
    : { kind: 'exception', types, ...(message === undefined ? {} : { message }), frames, through };
  return {
    name: `${oracle.kind} ${type === null ? 'message' : shortType(type)}`,
    title: members.some((member) => member.title),
    statement: told?.statement ?? '',
    span: told?.span ?? null,
    stance: 'observed',
    oracles: [oracle],
    shownBy: 'harness',
  };
}

/** One facet for each exception that the report claims, however often and in whatever form it is mentioned. */
export function exceptionFacets(report: Report, clauses: readonly LiveClause[]): FacetDraft[] {
  return groupMentions([...printedExceptions(report), ...proseExceptions(clauses, report)]).map(toDraft);
}
