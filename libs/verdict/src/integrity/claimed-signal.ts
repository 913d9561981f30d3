import { isAppError, type EvidenceRecord, type Facet, type Oracle } from '@reenact/domain';
import { compilePattern, matchesIn } from '../pattern/safe-pattern.js';
import { matchMessage } from '../signature/message-match.js';

function namesIn(oracle: Oracle): (string | undefined)[] {
  switch (oracle.kind) {
    case 'shape':
    case 'memory_peak':
      return [oracle.obs];
    case 'nonfinite':
    case 'trend':
    case 'nondeterminism':
    case 'slow':
    case 'distribution':
    case 'desync':
      return [oracle.name];
    case 'differential':
      return [oracle.candidate, oracle.reference, oracle.referee];
    case 'roundtrip':
      return [oracle.before, oracle.after];
    case 'relation':
      return [oracle.left, oracle.right].map((operand) =>
        typeof operand === 'object' && operand !== null && 'obs' in operand ? operand.obs : undefined,
      );
    default:
      return [];
  }
}

/** Names of the observations that an oracle compares; null for kinds that are not about observations. */
export function observedNames(oracle: Oracle): string[] | null {
  const names = namesIn(oracle).filter((name) => name !== undefined);
  return names.length > 0 ? names : null;
}

/** Oracles by which a facet may be imitated with text; each says whether a text holds its signal. */
export function textMatchers(facet: Facet): ((text: string) => boolean)[] {
  return facet.oracles.flatMap((oracle) => {
    const matcher = textMatcher(oracle);
    return matcher === null
      ? []
      : [(text: string) => text.split('\n', 2_000).some((line) => matcher(line)) || matcher(text.slice(0, 20_000))];
  });
}

function textMatcher(oracle: Oracle): ((text: string) => boolean) | null {
  switch (oracle.kind) {
    case 'output':
    case 'printed':
      return patternMatcher(oracle.pattern, oracle.flags);
    case 'warning':
      return oracle.pattern === undefined ? null : patternMatcher(oracle.pattern, 'i');
    case 'exception':
      return (text) => holdsException(text, oracle);
    case 'import':
    case 'build':
      return (text) => oracle.message !== undefined && oracle.message.length > 5 && text.includes(oracle.message);
    case 'hang':
      return oracle.lastLine === undefined ? null : (text) => oracle.lastLine !== undefined && text.includes(oracle.lastLine);
    default:
      return null;
  }
}

/** An oracle whose pattern cannot be used is never shown, so there is nothing to imitate. */
function patternMatcher(pattern: string, flags: string): ((text: string) => boolean) | null {
  try {
    const compiled = compilePattern(pattern, flags);
    return (text) => matchesIn(compiled, text, 20_000).length > 0;
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

/** `Type: message` as a traceback ends with it. */
function holdsException(text: string, oracle: Extract<Oracle, { kind: 'exception' }>): boolean {
  const named = oracle.types.find((type) => new RegExp(`\\b${lastName(type)}\\b`).test(text));
  if (oracle.types.length > 0 && named === undefined) return false;
  if (oracle.message === undefined) return named !== undefined && text.includes('Traceback (most recent call last)');
  const after =
    named === undefined ? text : text.slice(text.indexOf(lastName(named)) + lastName(named).length).replace(/^\s*[:(]\s*["']?/, '');
  return matchMessage(after.trim(), oracle.message) !== 'none' || text.includes(oracle.message.text);
}

/** Last part of a dotted name, letters only, so that it can stand in a regular expression. */
export function lastName(dotted: string): string {
  return (dotted.split('.').at(-1) ?? dotted).replace(/\W/g, '');
}

/** Whether an exception oracle accepts a type and a literal message; null = the message is computed. */
export function claimsException(facet: Facet, type: string, message: string | null): 'no' | 'type' | 'type-and-message' {
  let answer: 'no' | 'type' | 'type-and-message' = 'no';
  for (const oracle of facet.oracles) {
    if (oracle.kind !== 'exception' && oracle.kind !== 'import') continue;
    const defaults = oracle.kind === 'import' && oracle.types.length === 0 ? ['ImportError', 'ModuleNotFoundError'] : oracle.types;
    if (defaults.length > 0 && !defaults.some((other) => lastName(other) === lastName(type))) continue;
    const claimed =
      oracle.kind === 'import'
        ? oracle.message === undefined
          ? undefined
          : { text: oracle.message, match: 'contains' as const }
        : oracle.message;
    const fits = message !== null && (claimed === undefined || matchMessage(message, claimed) !== 'none');
    if (fits) return 'type-and-message';
    answer = 'type';
  }
  return answer;
}

/** Kinds whose signal is an import that fails: nothing of the subject need run. */
export function isImportOnly(facets: readonly Facet[]): boolean {
  const kinds = facets.flatMap((facet) => facet.oracles.map((oracle) => oracle.kind));
  return kinds.length > 0 && kinds.every((kind) => kind === 'import' || kind === 'build');
}

/** One record by its sequence number. */
export function recordAt(records: readonly EvidenceRecord[], seq: number): EvidenceRecord | undefined {
  return records[seq]?.seq === seq ? records[seq] : records.find((record) => record.seq === seq);
}
