import { describe, expect, it } from 'vitest';
import { askAbout } from './fixtures/asked-node.js';
import { FROM_SUBJECT, has } from './labels.js';

/** Whether the subject decides over what a script shows. */
const isDecided = (text: string): boolean =>
  askAbout(`${text}\n`, (query, node, source) => has(query.flow.labelsOf(node, source), FROM_SUBJECT));
/** Whether the subject decides over whether a script comes to its last `show`. */
const isReached = (text: string): boolean =>
  askAbout(`${text}\n`, (query, node) =>
    query.flow.calls.some(
      (call) => call.node.childForFieldName('arguments')?.namedChild(0)?.id === node.id && has(call.context, FROM_SUBJECT),
    ),
  );
/** Functions that hand on the result of the next, the first one first, so that each is called before it is defined. */
const chain = (length: number): string =>
  `${Array.from({ length }, (_unused, at) => `def f${at}():\n    return ${at + 1 < length ? `f${at + 1}()` : 'value'}\n`).join('')}show(f0())`;

describe('runScript', () => {
  it('follows a result through any number of functions that are called before they are defined', () => {
    expect([1, 2, 3, 12, 40].map((length) => isDecided(chain(length)))).toEqual([true, true, true, true, true]);
  });

  it.each([
    ['x: int\nshow(x)', false],
    ['x: int = value\nshow(x)', true],
    ['x = y = value\nshow(x)', true],
    ['x = y = value\nshow(y)', true],
    ['x = y = 3\nshow(x)', false],
    ['x = 3\nx += value\nshow(x)', true],
    ['rows = {}\nrows["a"].b = value\nshow(rows)', true],
    ['if value:\n    x = 3\nelse:\n    y = 3\nshow(y)', true],
    ['if 1 > 2:\n    x = 3\nelif value:\n    y = 3\nshow(x)', false],
    ['if 1 > 2:\n    x = 3\nelif value:\n    y = 3\nelse:\n    z = 3\nshow(z)', true],
    ['while value:\n    x = 3\nshow(x)', true],
    ['while 2 > 1:\n    x = 3\nshow(x)', false],
    ['for x in p.seen:\n    pass\nshow(x)', true],
    ['for x in range(3):\n    pass\nshow(x)', false],
    ['for n in p.seen:\n    x = 3\nshow(x)', true],
    ['try:\n    p.pick(3)\n    x = 3\nexcept ValueError:\n    y = 3\nshow(x)', false],
    ['try:\n    p.pick(3)\nexcept ValueError:\n    y = 3\nshow(y)', true],
    ['try:\n    p.pick(3)\nexcept ValueError:\n    pass\nelse:\n    y = 3\nshow(y)', true],
    ['try:\n    print(3)\nexcept ValueError:\n    y = 3\nshow(y)', false],
    ['p.pick(3)\ntry:\n    print(3)\nexcept ValueError:\n    y = 3\nshow(y)', false],
    ['try:\n    try:\n        p.pick(3)\n    finally:\n        pass\nexcept ValueError:\n    y = 3\nshow(y)', true],
    ['match value:\n    case 1:\n        x = 3\nshow(x)', true],
    ['match value:\n    case x:\n        pass\nshow(x)', true],
    ['match 3:\n    case x:\n        pass\nshow(x)', false],
    ['with open_it(value) as x:\n    pass\nshow(x)', true],
    ['with open_it(3) as x:\n    pass\nshow(x)', false],
    ['with redirect(x):\n    p.pick(3)\nshow(x)', false],
    ['x = []\nwith redirect(x):\n    p.pick(3)\nshow(x)', true],
    ['x = []\nwith redirect(x):\n    print(3)\nshow(x)', false],
    ['def f():\n    yield value\nshow(f())', true],
    ['def f():\n    yield 3\nshow(f())', false],
    ['def f():\n    if value:\n        return 3\n    return 4\nshow(f())', true],
    ['@decorate\ndef f():\n    return value\nshow(f())', true],
    ['@decorate(x := value)\ndef f():\n    return 3\nshow(x)', true],
    ['@decorate\nclass A:\n    x = value\n    show(x)', true],
  ])('knows whether the subject decides over a value: %j: %s', (text, expected) => {
    expect(isDecided(text)).toBe(expected);
  });

  it.each([
    ['class M(picker.Picker):\n    def go(self, n):\n        show(self)', true],
    ['class M(picker.Picker):\n    def go(self, n):\n        show(n)', false],
    ['class M(picker.Picker):\n    def go(self):\n        pass\ndef f(a):\n    show(a)', false],
    ['def f(a):\n    show(a)\nclass M(picker.Picker):\n    pass', false],
    ['class M(list):\n    def go(self):\n        show(self)', false],
    ['class M(picker.Picker):\n    pass\nshow(M())', true],
    ['class M(list):\n    pass\nshow(M())', false],
    ['class M(picker.Picker):\n    def go():\n        pass\n    def on(self):\n        show(self)', true],
  ])('takes an instance of a class that is derived from the subject for the subject, nothing else: %j: %s', (text, expected) => {
    expect(isDecided(text)).toBe(expected);
  });

  it.each([
    ['show(3)', false],
    ['if value:\n    show(3)', true],
    ['if value:\n    pass\nshow(3)', false],
    ['if value:\n    p.seen.append(3)\nshow(3)', false],
    ['if value:\n    sys.exit(1)\nshow(3)', true],
    ['if value:\n    raise ValueError\nshow(3)', true],
    ['if 2 > 1:\n    sys.exit(1)\nshow(3)', false],
    ['if value:\n    print(3)\nif 2 > 1:\n    sys.exit(1)\nshow(3)', false],
    ['def f():\n    if value:\n        return\nf()\nshow(3)', false],
    ['for n in range(3):\n    if value:\n        break\n    show(3)', true],
    ['assert value\nshow(3)', true],
    ['assert 3\nshow(3)', false],
    ['def f():\n    show(3)\nif value:\n    f()', true],
    ['def f():\n    show(3)\nf()', false],
    ['def f():\n    with suppress(ValueError):\n        p.pick(3)\n        return\n    show(3)', true],
    ['def f():\n    with redirect(ValueError):\n        p.pick(3)\n        return\n    show(3)', false],
    ['def f():\n    with pytest.raises(ValueError):\n        p.pick(3)\n        return\n    show(3)', true],
  ])('knows whether the subject decides over how far a script comes: %j: %s', (text, expected) => {
    expect(isReached(text)).toBe(expected);
  });

  it('lists what rules judge once: raising, asserting, deleting, setting of places, loops', () => {
    const sites = askAbout('assert 3\nraise ValueError\ndel sys.path\np.a = 3\nx = 4\np[0] += 5\nfor n in x:\n    show(n)\n', ({ flow }) =>
      flow.statements.map(({ node }) => node.type),
    );
    expect(sites).toEqual([
      'assert_statement',
      'raise_statement',
      'delete_statement',
      'assignment',
      'augmented_assignment',
      'for_statement',
    ]);
  });
});
