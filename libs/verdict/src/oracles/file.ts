import type { EvidenceOf, OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { compilePattern, matchesIn, TEXT_LIMIT } from '../pattern/safe-pattern.js';
import { cutNote, wasCut, withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type OracleAnswer, unboundAnswer } from './oracle-answer.js';

type FileOracle = OracleOf<'file'>;
type FileRecord = EvidenceOf<'file'>;

/** One stated property of the file; null where the evidence does not tell. */
interface Property {
  name: string;
  holds: boolean | null;
  /** It is about something that is missing, as any failure before the end would leave it as well. */
  isLack: boolean;
}

function textProperties(oracle: FileOracle, file: FileRecord): Property[] {
  const found = (source: string): boolean | null => {
    if (file.head === null) return null;
    const isThere = matchesIn(compilePattern(source, 'm'), file.head, TEXT_LIMIT).length > 0;
    return isThere || !(file.headCut || file.head.length > TEXT_LIMIT) ? isThere : null;
  };
  const not = (value: boolean | null): boolean | null => (value === null ? null : !value);
  return [
    ...(oracle.pattern === undefined ? [] : [{ name: `text /${oracle.pattern}/`, holds: found(oracle.pattern), isLack: false }]),
    ...(oracle.missingPattern === undefined
      ? []
      : [{ name: `no text /${oracle.missingPattern}/`, holds: not(found(oracle.missingPattern)), isLack: true }]),
  ];
}

function keyProperties(oracle: FileOracle, file: FileRecord): Property[] {
  const isThere = (key: string): boolean | null => {
    if (file.keys === null) return null;
    return file.keys.includes(key) ? true : file.keysCut ? null : false;
  };
  return [
    ...oracle.keys.map((key) => ({ name: `key ${key}`, holds: isThere(key), isLack: false })),
    ...oracle.missingKeys.map((key) => {
      const there = isThere(key);
      return { name: `no key ${key}`, holds: there === null ? null : !there, isLack: true };
    }),
  ];
}

function sizeProperties(oracle: FileOracle, file: FileRecord): Property[] {
  return [
    ...(oracle.atLeastBytes === undefined
      ? []
      : [{ name: `at least ${oracle.atLeastBytes} bytes`, holds: file.sizeBytes >= oracle.atLeastBytes, isLack: false }]),
    ...(oracle.atMostBytes === undefined
      ? []
      : [{ name: `at most ${oracle.atMostBytes} bytes`, holds: file.sizeBytes <= oracle.atMostBytes, isLack: true }]),
  ];
}

function describe(file: FileRecord): string {
  if (file.state !== 'regular') return `${file.path}: ${file.state}`;
  const keys = file.keys === null ? '' : `, keys ${file.keys.slice(0, 12).join(' ')}${file.keys.length > 12 ? ' …' : ''}`;
  return `${file.path}: ${file.sizeBytes} bytes, ${file.origin}, ${file.format ?? 'unknown'}${keys}`;
}

function judgeContent(oracle: FileOracle, file: FileRecord, view: EvidenceView): OracleAnswer {
  const grounding = [groundedIn(file.seq, describe(file))];
  const properties = [...textProperties(oracle, file), ...keyProperties(oracle, file), ...sizeProperties(oracle, file)];
  const failing = properties.find(({ holds }) => holds === false);
  if (failing) return withoutSignal(view, answer('absent', grounding, `not so: ${failing.name}`));
  const unknown = properties.find(({ holds }) => holds === null);
  if (unknown) return withoutSignal(view, answer('undecided', grounding, `the evidence does not tell: ${unknown.name}`));
  const shown = answer('shown', grounding, properties.map(({ name }) => name).join(', ') || 'it is there');
  // A failure before the end leaves a file that lacks something, whatever is wrong with the code that writes it.
  return properties.some(({ isLack }) => isLack) ? withoutSignal(view, shown) : shown;
}

/** Shown when a file that the trial leaves has the claimed keys, text or size, lacks them, or is not there at all. */
export function evaluateFile(oracle: FileOracle, view: EvidenceView): OracleAnswer {
  if (oracle.path === undefined) return unboundAnswer(oracle);
  const file = view.files.find(({ path }) => path === oracle.path);
  if (!file) return withoutSignal(view, answer('undecided', [], `the launch did not ask for ${oracle.path}`));
  const grounding = [groundedIn(file.seq, describe(file))];
  if (wasCut(view)) return answer('undecided', grounding, `${cutNote(view)}, and the file may have come later`);
  if (file.state === 'absent') return withoutSignal(view, answer(oracle.exists ? 'absent' : 'shown', grounding));
  if (file.state !== 'regular') return answer('undecided', grounding, `${file.path} is no regular file`);
  if (file.origin === 'same')
    return withoutSignal(view, answer('undecided', grounding, 'the file was there before and nothing changed it'));
  return oracle.exists ? judgeContent(oracle, file, view) : withoutSignal(view, answer('absent', grounding, 'the file is there'));
}
