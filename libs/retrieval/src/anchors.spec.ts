import { indexSources } from '@reenact/code-index';
import { describe, expect, it } from 'vitest';
import { filesInReach, rankAnchors, scoreFiles } from './anchors.js';
import type { Anchor } from './anchors.js';
import { rankInMemory } from './testing/rank-in-memory.js';

async function reachOf(files: Record<string, string>, anchor: Partial<Anchor>, title = ''): Promise<string[]> {
  const sources = Object.entries(files).map(([file, text]) => ({ file, kind: 'python' as const, text }));
  const code = await indexSources(sources);
  const { hits } = await rankInMemory(code, { title });
  return [...filesInReach(code, { module: '', files: [], loops: [], score: 1, ...anchor }, scoreFiles(code, hits))];
}

describe('the reach of an anchor', () => {
  const FILES = {
    'main.py': 'import pkg.a\n',
    'other.py': 'x = 1\n',
    'pkg/__init__.py': '',
    'pkg/a.py': 'from . import b\nfrom .deep import c\n',
    'pkg/b.py': 'y = 1\n',
    'pkg/deep/__init__.py': '',
    'pkg/deep/c.py': 'z = 1\n',
    'pkg/deep/d.py': 'z = 2\n',
    'tools/run.py': 'from pkg import b\n',
  };

  it('is its folder and the import neighbours of the folder, in both directions', async () => {
    expect((await reachOf(FILES, { module: 'pkg', files: ['pkg/b.py'] })).sort()).toEqual([
      'main.py',
      'pkg/__init__.py',
      'pkg/a.py',
      'pkg/b.py',
      'pkg/deep/c.py',
      'tools/run.py',
    ]);
  });

  it('is not the whole repository for a file in the root', async () => {
    expect((await reachOf(FILES, { module: '', files: ['other.py'] })).sort()).toEqual(['main.py', 'other.py', 'pkg/a.py']);
  });

  it('is at most 200 files, its own first, then those that the query finds', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`flat/m${String(index).padStart(3, '0')}.py`, 'x = 1\n']));
    const files = { ...many, 'flat/zz.py': 'def resample(wave):\n    return wave\n', 'flat/zy.py': 'y = 1\n' };
    const reach = await reachOf(files, { module: 'flat', files: ['flat/zy.py'] }, 'resample wave');
    expect(reach).toHaveLength(200);
    expect(reach.slice(0, 3)).toEqual(['flat/zy.py', 'flat/zz.py', 'flat/m000.py']);
  });
});

describe('anchors', () => {
  it('are training files and modules without one, best first; a loop that imports the best hit counts half of it', async () => {
    const files = {
      'audio/wave.py': 'def resample(wave):\n    return wave\n',
      'jobs/train.py': 'from audio.wave import resample\nfor x in data:\n    f(resample(x)).backward()\n',
      'text/words.py': 'def words(text):\n    return text\n',
    };
    const sources = Object.entries(files).map(([file, text]) => ({ file, kind: 'python' as const, text }));
    const code = await indexSources(sources);
    const anchors = rankAnchors(code, await rankInMemory(code, { title: 'resample a wave' }));
    expect(anchors.map(({ module, loops }) => [module, loops.length])).toEqual([
      ['audio', 0],
      ['jobs', 1],
    ]);
  });
});
