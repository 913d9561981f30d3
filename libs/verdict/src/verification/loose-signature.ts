import { typeName, type Facet, type Oracle } from '@reenact/domain';
import { contentWords } from '../signature/content-words.js';

/** Types that a wrong call, a missing argument or a typing slip gives as well: alone they tell nothing. */
const EVERYDAY_TYPES = new Set(
  (
    'ArithmeticError AssertionError AttributeError EOFError FileNotFoundError ImportError IndexError KeyError LookupError ModuleNotFoundError NameError ' +
    'NotImplementedError OSError OverflowError RecursionError RuntimeError StopIteration SystemError TypeError UnicodeDecodeError ValueError ZeroDivisionError Exception'
  ).split(' '),
);
const EVERYDAY_WARNINGS = new Set([
  'Warning',
  'UserWarning',
  'FutureWarning',
  'DeprecationWarning',
  'PendingDeprecationWarning',
  'RuntimeWarning',
  'ResourceWarning',
]);

function isLooseException(oracle: Extract<Oracle, { kind: 'exception' }>): boolean {
  if (oracle.frames.length > 0) return false;
  const isEveryday = oracle.types.length === 0 || oracle.types.some((type) => EVERYDAY_TYPES.has(typeName(type)));
  if (!isEveryday) return false;
  // A place that the stack must pass, such as `torch.save`, tells as much as a second word of the message.
  const told = (oracle.message === undefined ? 0 : contentWords(oracle.message.text).length) + (oracle.through.length > 0 ? 1 : 0);
  return oracle.message === undefined || told < 2;
}

function isLoose(oracle: Oracle): boolean {
  switch (oracle.kind) {
    case 'exception':
      return isLooseException(oracle);
    case 'warning':
      return oracle.pattern === undefined && (oracle.category === undefined || EVERYDAY_WARNINGS.has(typeName(oracle.category)));
    case 'hang':
      // Any program may wait for what it lacks; that the control ends is part of the oracle (verdict.md section 4).
      return oracle.lastLine === undefined;
    case 'import':
    case 'exit':
      return oracle.kind === 'exit' && oracle.signal === undefined;
    default:
      return true;
  }
}

/**
 * Whether every oracle of the facet asks for so little that another fault would do as well: an everyday type without its
 * message, a standstill anywhere. Such a facet counts with a control only.
 */
export function hasLooseSignature(facet: Facet): boolean {
  return facet.oracles.every(isLoose);
}
