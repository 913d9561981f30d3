import { mkdtemp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '@reenact/domain';
import { sameVersion } from './build-environment.js';
import { importedModules } from './imports.js';
import { solveRequirements } from './requirements.js';

const span = { start: 0, end: 1 };

function report(packages: [string, string, 'used' | 'good'][]): Report {
  return { packages: packages.map(([name, version, role]) => ({ name, version, role, span, source: 'prose' })) } as unknown as Report;
}

async function tree(files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'reenact-req-'));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, file)), { recursive: true });
    await writeFile(path.join(directory, file), text);
  }
  return directory;
}

describe('solveRequirements', () => {
  it('lets an earlier source win: given by hand, report, project, imports', async () => {
    const directory = await tree({
      'requirements.txt': 'numpy>=1.20\nscipy==1.10.1  # pinned\n-e git+https://example.invalid/x\nx @ file:///tmp/x\n',
    });
    const solved = await solveRequirements({
      given: ['torch==2.6.0'],
      report: report([
        ['pytorch', '1.13.1', 'used'],
        ['numpy', '1.24.2', 'used'],
        ['scipy', '9', 'good'],
      ]),
      tree: directory,
      imports: ['torch', 'pandas', 'made_up'],
    });
    expect(solved.lines).toEqual(['torch==2.6.0', 'numpy==1.24.2', 'scipy==1.10.1', 'pandas']);
    expect(solved.asked).toEqual([
      { name: 'torch', version: '1.13.1' },
      { name: 'numpy', version: '1.24.2' },
    ]);
    expect(solved.unknown).toEqual(['made_up']);
  });

  it('installs the first of several versions, and lets any of them meet the report', async () => {
    const versions = report([
      ['pytorch', '2.x', 'used'],
      ['torch', '1.13', 'used'],
    ]);
    const solved = await solveRequirements({ given: [], report: versions, tree: null, imports: [] });
    expect(solved.lines).toEqual(['torch==2.*']);
    expect(solved.asked.map(({ version }) => version)).toEqual(['2.x', '1.13']);
  });

  it('reads a series as a series, and never asks for what the report does not name clearly', async () => {
    const solved = await solveRequirements({
      given: [],
      report: report([
        ['torch', '2.x', 'used'],
        ['numpy', 'latest', 'used'],
        ['evil-package', '1.0', 'used'],
      ]),
      tree: null,
      imports: [],
    });
    expect(solved.lines).toEqual(['torch==2.*']);
  });
});

describe('importedModules', () => {
  it('finds absolute imports, without the own modules and the standard library', async () => {
    const directory = await tree({
      'main.py': 'import os, numpy as np\nfrom torch.nn import Linear\nimport net\nfrom . import x\nfrom pkg.sub import y\n',
      'net.py': '  import pandas\n',
      'pkg/sub.py': '',
    });
    expect(await importedModules(directory, new Set(['os']))).toEqual(['numpy', 'pandas', 'torch']);
  });
});

describe('sameVersion', () => {
  it.each([
    ['2.6.0', '2.6.0+cu124', true],
    ['2.6', '2.6.1', true],
    ['2.x', '2.9.0', true],
    ['2.x', '1.13.1', false],
    ['1.13.1', '1.13.0a0', false],
    ['1.13', '1.13.0a0', true],
  ])('%s asked, %s there: %s', (asked, got, same) => expect(sameVersion(asked, got)).toBe(same));
});
