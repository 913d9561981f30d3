import { walkPython, type PythonNode } from '@reenact/code-index';

/** Types of data: what derives from one is taken by the subject for such data. */
const DATA =
  /^(?:list|dict|set|frozenset|tuple|str|bytes|bytearray|int|float|complex|deque|OrderedDict|defaultdict|Counter|UserList|UserDict|ndarray|Tensor|Series|DataFrame)$/;
/** Operators and protocols by which code asks its input; naming, printing, attributes and construction are left out. */
const ANSWERS =
  /^__(?:len|iter|next|contains|bool|eq|ne|lt|le|gt|ge|hash|getitem|reversed|int|float|complex|index|round|neg|pos|abs|invert|divmod|call|[ri]?(?:add|sub|mul|matmul|truediv|floordiv|mod|pow|and|or|xor|lshift|rshift)|array|array_ufunc|array_function|torch_function|torch_dispatch|instancecheck|subclasscheck)__$/;
/** Questions that have no constant answer in honest data. */
const QUESTIONS = /^__(?:contains|bool|eq|ne|lt|le|gt|ge)__$/;
/** Methods that data has anyway. */
const DATA_METHODS =
  /^(?:intersection|union|difference|issubset|issuperset|items|keys|values|get|pop|index|count|copy|sort|any|all|sum|mean|std|var|min|max|argmin|argmax|norm|reshape|astype|size|numel|item|tolist)$/;
const CONSTANTS = new Set(['true', 'false', 'none', 'integer', 'float', 'string', 'list', 'dictionary', 'tuple', 'set']);

/**
 * Whether the objects of a class of the script lie to the code that gets them: operators that are no functions, that
 * answer a question by a constant, or that take the place of those of a type of data without ever asking it.
 */
export function givesOwnAnswers(definition: PythonNode): boolean {
  const isData = basesOf(definition).some((base) => DATA.test(base));
  const members = definition.childForFieldName('body')?.namedChildren ?? [];
  return members.some((member) => {
    if (member === null) return false;
    const fn = member.type === 'decorated_definition' ? member.childForFieldName('definition') : member;
    if (fn?.type === 'function_definition') return isOwnAnswer(fn, isData);
    const assignment = member.type === 'expression_statement' ? member.namedChild(0) : null;
    return assignment?.type === 'assignment' && isNoFunction(assignment);
  });
}

/** The last names of the bases; what they are parametrised by is no base: `Sampler[int]`. */
function basesOf(definition: PythonNode): string[] {
  const bases = definition.childForFieldName('superclasses')?.namedChildren ?? [];
  return bases.flatMap((base) => {
    const plain = base?.type === 'subscript' ? base.childForFieldName('value') : base;
    return plain === null || plain === undefined ? [] : [plain.text.split('.').at(-1) ?? ''];
  });
}

/** `type("Name", (Base,), {"__len__": …})`: a class whose answers are entries of a dictionary. */
export function makesLyingType(call: PythonNode): boolean {
  const space = (call.childForFieldName('arguments')?.namedChildren ?? []).filter((child) => child !== null)[2];
  if (space?.type !== 'dictionary') return false;
  return space.namedChildren.some((pair) => {
    const key = (pair?.childForFieldName('key')?.text ?? '').replace(/^["']|["']$/g, '');
    return ANSWERS.test(key) || /^property\(/.test(pair?.childForFieldName('value')?.text ?? '');
  });
}

function isOwnAnswer(fn: PythonNode, isData: boolean): boolean {
  const name = fn.childForFieldName('name')?.text ?? '';
  const body = fn.childForFieldName('body');
  if (body === null) return false;
  if (isData && (ANSWERS.test(name) || DATA_METHODS.test(name))) return !asksBase(fn, body);
  return QUESTIONS.test(name) && answersByConstant(body);
}

/** Calls the same method of the base, by `super()` or by its name, or reads its data: `self[…]`, `self.data`. */
function asksBase(fn: PythonNode, body: PythonNode): boolean {
  const name = fn.childForFieldName('name')?.text ?? '';
  return [...walkPython(body)].some(
    (node) =>
      (node.type === 'subscript' && node.childForFieldName('value')?.text === 'self' && name !== '__getitem__') ||
      (node.type === 'attribute' && node.text === 'self.data') ||
      (node.type === 'attribute' &&
        node.childForFieldName('attribute')?.text === name &&
        /^(?:super\b|[\w.]+$)/.test(node.childForFieldName('object')?.text ?? '') &&
        node.childForFieldName('object')?.text !== 'self'),
  );
}

function answersByConstant(body: PythonNode): boolean {
  const given = [...walkPython(body)].filter((node) => node.type === 'return_statement').map((node) => node.namedChild(0));
  return given.length > 0 && given.every((value) => value === null || CONSTANTS.has(value.type));
}

/** `__len__ = partial(…)`: what is no function of the class is called without it, and leaves no frame. */
function isNoFunction(assignment: PythonNode): boolean {
  if (!ANSWERS.test(assignment.childForFieldName('left')?.text ?? '')) return false;
  const right = assignment.childForFieldName('right');
  if (right === null || right.type === 'identifier' || right.type === 'none') return false;
  return right.type !== 'attribute' || right.childForFieldName('object')?.type !== 'identifier';
}
