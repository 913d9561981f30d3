import { walkPython } from '@reenact/code-index';
import { describe, expect, it } from 'vitest';
import { python } from './fixtures/rule-bench.js';
import { givesOwnAnswers, makesLyingType } from './own-classes.js';

function ofFirst(type: 'class_definition' | 'call', text: string, judge: typeof givesOwnAnswers): boolean {
  const tree = python.parse(text);
  try {
    const node = [...walkPython(tree.rootNode)].find((one) => one.type === type);
    if (!node) throw new Error(`no ${type}`);
    return judge(node);
  } finally {
    tree.delete();
  }
}
const lies = (head: string, ...body: string[]) =>
  ofFirst('class_definition', `class A${head}:\n    ${body.join('\n    ')}\n`, givesOwnAnswers);

describe('givesOwnAnswers', () => {
  it('suspects data that answers without asking its base', () => {
    expect(lies('(list)', 'def __len__(self):', '    return 3')).toBe(true);
    expect(lies('(np.ndarray)', 'def mean(self):', '    return 3')).toBe(true);
    expect(lies('(list[int])', 'def __len__(self):', '    return 3')).toBe(true);
    expect(lies('(list)', '@property', 'def keys(self):', '    return 3')).toBe(true);
    expect(lies('(list)', 'def __len__(self):', '    return super().__len__() + 1')).toBe(false);
    expect(lies('(list)', 'def __len__(self):', '    return list.__len__(self)')).toBe(false);
    expect(lies('(list)', 'def __len__(self):', '    return self.__len__()')).toBe(true);
    expect(lies('(list)', 'def mean(self):', '    return self[0]')).toBe(false);
    expect(lies('(list)', 'def mean(self):', '    return other[0]')).toBe(true);
    expect(lies('(list)', 'def __getitem__(self, at):', '    return self[at]')).toBe(true);
    expect(lies('(UserList)', 'def __len__(self):', '    return len(self.data)')).toBe(false);
    expect(lies('(list)', 'def describe(self):', '    return 3')).toBe(false);
  });

  it('lets a class that is no data answer as it likes, but not a question by a constant', () => {
    expect(lies('', 'def __len__(self):', '    return 3')).toBe(false);
    expect(lies('(Dataset)', 'def __getitem__(self, at):', '    return 3')).toBe(false);
    expect(lies('', 'def __eq__(self, other):', '    return True')).toBe(true);
    expect(lies('', 'def __eq__(self, other):', '    return')).toBe(true);
    expect(lies('', 'def __eq__(self, other):', '    return self.a == other.a')).toBe(false);
    expect(lies('', 'def __bool__(self):', '    if self.a:', '        return False', '    return self.b')).toBe(false);
    expect(lies('', 'def __bool__(self):', '    pass')).toBe(false);
  });

  it('suspects an operator that is no function', () => {
    expect(lies('', '__len__ = partial(f)')).toBe(true);
    expect(lies('', '__len__ = lambda self: 3')).toBe(true);
    expect(lies('', '__len__ = a.b.c')).toBe(true);
    expect(lies('', '__len__ = list.__len__')).toBe(false);
    expect(lies('', '__hash__ = None')).toBe(false);
    expect(lies('', '__len__ = size')).toBe(false);
    expect(lies('', 'size = partial(f)')).toBe(false);
    expect(lies('', '__len__: int')).toBe(false);
    expect(lies('', 'x = 1', 'pass')).toBe(false);
  });
});

describe('makesLyingType', () => {
  const call = (text: string) => ofFirst('call', `${text}\n`, makesLyingType);

  it('looks at the names in the third argument', () => {
    expect(call('type("A", (list,), {"__len__": f})')).toBe(true);
    expect(call('type("A", (list,), {"x": property(f)})')).toBe(true);
    expect(call('type("A", (list,), {"x": 1, "__len__": f})')).toBe(true);
    expect(call('type("A", (list,), {"x": 1})')).toBe(false);
    expect(call('type("A", (list,), names)')).toBe(false);
    expect(call('type("A", {"__len__": f})')).toBe(false);
    expect(call('type(a)')).toBe(false);
  });
});
