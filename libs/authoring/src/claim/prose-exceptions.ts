import type { Report } from '@reenact/domain';
import { distributionName, isKnownPackage, looksLikeException } from '@reenact/report';
import type { ExceptionMention } from './exception-mention.js';
import type { LiveClause } from './live-clauses.js';
import { messageWords } from './message-words.js';

const TYPE =
  /(?<![\w./])((?:[A-Za-z_]\w{0,60}\.){0,8}(?:[A-Z]\w{0,80}(?:Error|Exception|Timeout|Interrupt|Expired)|Stop(?:Async)?Iteration|Exception(?=: )))(?![\w(])/g;
/** What stands before a type that the program handles, that somebody would like, or that is a comparison. */
const NOT_SEEN_BEFORE =
  /\b(?:catch(?:es|ing)?|caught|handl(?:es?|ed|ing)|except|swallow\w{0,4}|ignor\w{1,4}|suppress\w{0,4}|expect\w{0,4}|should (?:raise|give|get|be|throw)|must (?:raise|be)|instead of|rather than|no|not an?|without|avoid\w{0,4}|like|such as|similar to|unlike|used to (?:be|get|raise|give)|was an?|previously|in place of|turn\w{0,3} (?:it )?into|convert\w{0,3}|wrap\w{0,4}|define[sd]?|subclass\w{0,3}|documented|documentation|fixe[sd])\s+(?:(?:the|an?|any|this|that|our|my|usual|old|well-known)\s+){0,2}`{0,2}$/i;
const NOT_SEEN_AFTER =
  /^`{0,2}(?:s)?\s+(?:is|was|are|gets?|has been|would be|used to be)\s+(?:\w+\s+)?(?:caught|handled|swallowed|ignored|expected|fixed|gone|suppressed|better|nice|helpful)/i;
const ENDINGS =
  /(?= (?:comes?|is|was|are|gets?|appears?|occurs?|shows?|pops?|ends?|stops?|kills?|aborts?|at|when|while|after|before|during|from|out of|in the|on the|as soon|every|each)\b|[;:.()]|$)/;
const ABOUT = new RegExp(
  String.raw`^\`{0,2}(?:s)?,? (?:about|regarding|because of|complaining (?:about|of|that)|concerning|due to|over|saying that|saying|that says|which says|stating that|stating|that states|telling (?:me |us )?that|that (?:speaks of|talks about|mentions|complains (?:about|of)|refers to|is about|tells of|contains)|mentioning|claiming that|that(?= (?:an?|the|some|no|one|my|our|\x60|"|[a-z]{3,20} (?:cannot|can't|is not|has no|must|needs))\b)) (.{3,200}?)${ENDINGS.source}`,
  'i',
);
const MESSAGE =
  /\b(?:message|text|error|exception|traceback|it)\b(?: itself| text)?(?: is (?:very |rather |quite )?\w{2,12} and| only| just| also)? (?:talks? (?:about|of)|mentions?|speaks? (?:about|of)|is about|was about|complains? (?:about|of|that)|refers? to|points? (?:at|to)|says?(?: something (?:about|like))?|said|tells?(?: me| us)?(?: that| about)?|states?(?: that)?|claims?(?: that)?|has to do with|contains?|names?|lists?|reads?) (.{3,300})/i;
const ERROR_WORD =
  /\b(?:end(?:s|ed|ing)? (?:with|in)|fail(?:s|ed|ing)?|errors?|exception|messages?|rais(?:es?|ed|ing)|crash(?:es|ed)?|dies|died|abort(?:s|ed)?|complain(?:s|ed)?|throw(?:s|n)?|threw|stops? with|says|saying)\b/i;
const QUOTE = /"([^"\n]{8,400})"|“([^”\n]{8,400})”|``?([^`\n]{8,400})`?`/g;
const THROUGH =
  /\b(?:out of|from(?: within| inside)?|by|inside(?: of)?|within|in|through|at|calling|call (?:of|to))\s+(?:the )?(?:(?:built-in|function|method|call (?:of|to)|line) )?`{0,2}([A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}){0,8})(\(\)|\([^()\n`]{0,60}\))?/g;
const NOT_A_FUNCTION =
  /\.(?:py|pt|pth|ya?ml|json|ckpt|txt|sh|log)$|(?:^|\.)(?:float\d*|int\d*|bfloat16|half|long|nn|optim|distributed|cuda|utils|data|functional|python|x)$/;

/** Names of functions that an exception is said to come from; type names and files are none. */
function throughOf(clause: string): string[] {
  const names: string[] = [];
  for (const match of clause.matchAll(THROUGH)) {
    const name = match[1] ?? '';
    const called = match[2] !== undefined;
    const last = name.split('.').at(-1) ?? name;
    // `tokenizer(x)` calls an object, whose frame has another name; `collate_fn()` is a function.
    if (
      (!name.includes('.') && !(called && name.includes('_'))) ||
      NOT_A_FUNCTION.test(name) ||
      /^[A-Z]/.test(last) ||
      looksLikeException(last)
    )
      continue;
    const first = name.split('.')[0] ?? '';
    // The first component of `optimizer.step` is a variable: only its function is known.
    names.push(isKnownPackage(first) && distributionName(first) === first ? name : last);
  }
  return [...new Set(names)].slice(0, 2);
}

/** A quoted message: the longest piece between elisions. */
function quotedText(clause: string): string | null {
  for (const match of clause.matchAll(QUOTE)) {
    const quoted = (match[1] ?? match[2] ?? match[3] ?? '').trim();
    const before = clause.slice(Math.max(0, match.index - 60), match.index);
    if (!quoted.includes(' ') || /\b(?:prints?|printed|python|run|command|file|line|after|until|before)\s*$/i.test(before)) continue;
    if (/^(?:python|torchrun|pip|git|\.\/)/.test(quoted) || /\.py\b/.test(quoted)) continue;
    // Back-ticked source is no message.
    if (
      match[3] !== undefined &&
      /^(?:assert|raise|import|from|def|class|return|if|for|with)\b|[\w)\]] [=!<>]?=? \S|\w\(.*\)$/.test(quoted) &&
      !/: /.test(quoted)
    )
      continue;
    return longestPiece(quoted);
  }
  return null;
}

/** The longest part of a message between `...` marks. */
export function longestPiece(message: string): string | null {
  const pieces = message.split(/\s*(?:\.{3}|…)\s*/).map((piece) => piece.trim());
  const longest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
  return longest.length >= 6 ? longest : null;
}

/** Where the bracket that was open before a text is closed in it. */
function untilClosing(text: string, opened: string): string {
  const close = { '(': ')', '"': '"', '“': '”', '[': ']' }[opened];
  if (close === undefined) return text;
  let depth = 1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === close) depth -= 1;
    else if (character === opened) depth += 1;
    if (depth === 0) return text.slice(0, at);
  }
  return text;
}

/** `Type: message` within prose; a subordinate clause after it is the reporter's. `opened`: the character before the type. */
function inlineMessage(after: string, opened: string): string | null {
  const match = /^`{0,2}:\s+([^`\n]{3,400})/.exec(after);
  if (match === null) return null;
  const text = untilClosing(match[1] ?? '', opened).replace(/^["“'](.*?)["”'].*$/, '$1');
  const cut =
    opened === '`'
      ? text
      : text.replace(/[,;]? (?:when|while|after|during|if I|as soon as|using|whenever|since|upon|where) .*$/, '').replace(/[.]$/, '');
  return longestPiece(cut);
}

/** A message in brackets after its type: `KeyError (no entry for 'a')`; brackets that tell circumstances are none. */
function bracketedMessage(after: string): string | null {
  const text = /^`{0,2}\s{0,2}\(([^()\n]{8,300})\)/.exec(after)?.[1] ?? '';
  const circumstance =
    /^(?:see|only|every|always|on|with|in|at|from|when|if|for|the same|i|we|my|also|not|but|rank|line|file|torch|python|and|or|after|sometimes|below|above)\b/i.test(
      text,
    );
  return text.split(' ').length < 3 || circumstance ? null : longestPiece(text.replace(/^["“](.*)["”]$/, '$1'));
}

function readType(clause: LiveClause, match: RegExpExecArray): ExceptionMention | null {
  const type = match[1] ?? '';
  const before = clause.text.slice(Math.max(0, match.index - 80), match.index);
  const after = clause.text.slice(match.index + match[0].length);
  if (NOT_SEEN_BEFORE.test(before) || NOT_SEEN_AFTER.test(after)) return null;
  const inline = inlineMessage(after, before.slice(-1));
  const quoted =
    inline ??
    bracketedMessage(after) ??
    (ERROR_WORD.test(clause.text) || /^`{0,2},? (?:["“(]|saying|with|that)/.test(after) ? quotedText(after) : null);
  const about = quoted === null ? ABOUT.exec(after)?.[1] : undefined;
  const base = {
    strength: 'prose' as const,
    statement: clause.sentence,
    span: clause.span,
    title: clause.title,
    frames: [],
    match: 'contains' as const,
  };
  return {
    ...base,
    type,
    text: quoted,
    words: quoted === null && formWords(clause.text).length > 0 ? formWords(clause.text) : about === undefined ? [] : messageWords(about),
    through: throughOf(clause.text),
  };
}

/** Forms of CPython's own messages in a reporter's words, with the words that the message surely has. */
const MESSAGE_FORMS: readonly { pattern: RegExp; words: (name: string) => string[] }[] = [
  { pattern: /\bhas no (?:such )?attribute [`'"“]{0,2}(\w{1,80})/i, words: (name) => ['attribute', name] },
  { pattern: /\bno module (?:named|called) [`'"“]{0,2}(\w{1,80})/i, words: (name) => ['module', name] },
  { pattern: /\bcannot import (?:the )?(?:name )?[`'"“]{1,2}(\w{1,80})/i, words: (name) => ['import', name] },
  { pattern: /\bunexpected keyword(?: argument)? [`'"“]{0,2}(\w{1,80})/i, words: (name) => ['keyword', name] },
  { pattern: /\bis not (callable|subscriptable|iterable|hashable|serializable|picklable)\b/i, words: (name) => [name] },
];

function formWords(clause: string): string[] {
  const form = MESSAGE_FORMS.find((candidate) => candidate.pattern.test(clause));
  const name = form?.pattern.exec(clause)?.[1];
  return form === undefined || name === undefined ? [] : form.words(name);
}

/** A clause that quotes or describes a message without naming the type. */
function readUntyped(clause: LiveClause): ExceptionMention | null {
  const errorWord = ERROR_WORD.test(clause.text);
  const text = errorWord || clause.title ? quotedText(clause.text) : null;
  const described = text === null ? MESSAGE.exec(clause.text)?.[1] : undefined;
  const form = text === null ? formWords(clause.text) : [];
  const words = form.length > 0 || described === undefined ? form : messageWords(described);
  if (text === null && words.length === 0) return null;
  const weak = errorWord ? {} : { weak: true as const };
  return {
    ...weak,
    type: null,
    text,
    match: 'contains',
    words,
    through: [],
    frames: [],
    strength: 'prose',
    statement: clause.sentence,
    span: clause.span,
    title: clause.title,
  };
}

/** What the report's prose says about exceptions, in order of place. */
export function proseExceptions(clauses: readonly LiveClause[], report: Report): ExceptionMention[] {
  const printed = [...report.exceptions, ...report.warnings];
  return clauses.flatMap((clause) => {
    if (printed.some((entry) => entry.span.start <= clause.span.start && clause.span.end <= entry.span.end)) return [];
    const typed = [...clause.text.matchAll(TYPE)].flatMap((match) => readType(clause, match) ?? []);
    if (typed.length > 0) {
      const described = readUntyped(clause);
      return described !== null && described.words.length > 0 ? [...typed, described] : typed;
    }
    const untyped = readUntyped(clause);
    return untyped === null ? [] : [untyped];
  });
}
