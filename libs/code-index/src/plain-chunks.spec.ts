import { describe, expect, it } from 'vitest';
import { chunkNotebook } from './notebook-chunks.js';
import { chunkPlain, chunkReadme } from './plain-chunks.js';

describe('chunks of other files', () => {
  it('keeps a short file whole and windows a long one', () => {
    expect(chunkPlain('conf/train.yaml', '\nlr: 0.1\n\n', 'configuration')).toEqual([
      { file: 'conf/train.yaml', kind: 'configuration', name: 'train', startLine: 2, endLine: 2, text: 'lr: 0.1', quality: 'unparsed' },
    ]);
    expect(chunkPlain('a.sh', 'x\n'.repeat(150), 'launcher').map((item) => [item.startLine, item.endLine])).toEqual([
      [1, 60],
      [41, 100],
      [81, 140],
      [121, 150],
    ]);
    expect(chunkPlain('a.sh', '\n \n', 'launcher')).toEqual([]);
  });

  it('takes command blocks out of a README', () => {
    const text = 'Run\n\n```bash\npip install x\npython train.py\n```\n\ntext\n\n    $ make data\n\n~~~\na\n```\n~~~\n```\nnever closed\n';
    expect(chunkReadme('README.md', text).map((item) => [item.startLine, item.text])).toEqual([
      [4, 'pip install x\npython train.py'],
      [10, '    $ make data'],
      [13, 'a\n```'],
    ]);
  });

  it('takes the code cells of a notebook, and nothing out of other JSON', () => {
    const cells = [
      { cell_type: 'code', source: ['import torch\n', 'x = 1'] },
      { cell_type: 'markdown', source: 'words' },
      { cell_type: 'code', source: '' },
      { cell_type: 'code', source: 'fit()\r\n' },
    ];
    expect(chunkNotebook('n.ipynb', JSON.stringify({ cells })).map((item) => [item.name, item.startLine, item.endLine, item.text])).toEqual(
      [
        ['cell 1', 1, 2, 'import torch\nx = 1'],
        ['cell 3', 4, 4, 'fit()'],
      ],
    );
    for (const text of ['{', 'null', '{"cells": 3}', '{"cells": [null, {"cell_type": "code", "source": [3]}]}'])
      expect(chunkNotebook('n.ipynb', text)).toEqual([]);
  });
});
