import { describe, expect, it } from 'vitest';
import type { EvidenceRecord } from '@reenact/domain';
import { observedFacet } from '../testing/claim-builder.js';
import { createEvidence } from '../testing/evidence-builder.js';
import { bundleParts } from '../testing/bundle-parts.js';
import { checkScript } from './check-script.js';
import { candidateOf, check, codes, confirm, python, subject } from './fixtures/rule-bench.js';
import { FACETS, SUBJECT } from './fixtures/subject.js';

describe('reimplements-the-subject', () => {
  const copy = `import picker\n${SUBJECT['learn.py']?.slice(SUBJECT['learn.py'].indexOf('def learn'), SUBJECT['learn.py'].indexOf('if __name__')) ?? ''}`;

  it('suspects a copy of a function, not a small one of another kind', () => {
    expect(codes(check(`${copy}\npicker.running([[1]])\n`))).toEqual(['reimplements-the-subject']);
    expect(codes(check('import picker\ndef learn(n):\n    return picker.running([[n]])\nlearn(1)\n'))).toEqual([]);
  });
});

describe('spoils-state', () => {
  it('suspects a not-a-number in an object of the subject, not in data of the script', () => {
    expect(codes(check('from picker import Picker\np = Picker()\np.size = float("nan")\np.pick([[1]])\n'))).toEqual(['spoils-state']);
    expect(codes(check('from picker import Picker\nimport torch\np = Picker()\np.weight.fill_(float("inf"))\np.pick([[1]])\n'))).toEqual([
      'spoils-state',
    ]);
    expect(codes(check('from picker import Picker\nbest = float("-inf")\nbest = max(best, Picker().pick([[1]]))\n'))).toEqual([]);
  });
});

describe('imitates-a-rank, stubs-the-path, runs-a-copy', () => {
  it('suspects a collective that is replaced', () => {
    expect(
      codes(check('import torch.distributed as dist\nimport picker\ndist.all_reduce = lambda t: None\npicker.running([[1]])\n')),
    ).toEqual(['imitates-a-rank']);
    expect(
      codes(check('import torch.distributed as dist\nimport picker\ndist.init_process_group("gloo")\npicker.running([[1]])\n')),
    ).toEqual([]);
  });

  it('suspects a library function on the path of the report, and only notes others', () => {
    const text = 'import torch\nimport picker\ntorch.load = lambda path: {}\npicker.running([[1]])\n';
    expect(codes(check(text, FACETS.crash, ['torch.load']))).toEqual(['patches-the-subject']);
    const quiet = 'import wandb\nimport picker\nwandb.init = lambda **given: None\npicker.running([[1]])\n';
    expect(codes(check(quiet))).toEqual([]);
    expect(codes(check(quiet), 'advice')).toEqual(['patches-the-subject']);
  });

  describe('a library function that is replaced', () => {
    const shown = createEvidence().modules('learn.py', 'scoring.py').obs({ acc: 4 }).exit(0).build();
    const healthy = createEvidence().modules('learn.py', 'scoring.py').obs({ acc: 0.5 }).exit(0).build();
    const judged = (patch: string) =>
      codes(
        confirm(`import copy, torch, learn\n${patch}print("OBS acc=%s" % learn.learn()[0])\n`, FACETS.accuracy, {
          candidate: shown,
          fixed: healthy,
        }),
        'finding',
      );

    it.each([
      ['a spy', 'kept = copy.deepcopy\ndef spy(x):\n    print("copied")\n    return kept(x)\ncopy.deepcopy = spy\n'],
      ['another default', 'kept = torch.load\ntorch.load = lambda *a, **k: kept(*a, **{**k, "weights_only": False})\n'],
      ['a device that is not there', 'torch.Tensor.cuda = lambda self, *a, **k: self\ntorch.nn.Module.cuda = lambda self, *a: self\n'],
    ])('is no finding where it is %s and the control is clean', (_name, patch) => {
      expect(judged(patch)).toEqual([]);
    });

    it.each([
      ['answers by itself', 'torch.mean = lambda x: 4.0\n'],
      ['calls something else that was kept', 'kept = torch.sum\ntorch.mean = lambda x: kept(x) * 4\n'],
      ['is bound again', 'kept = torch.mean\nkept = lambda x: 4.0\ntorch.mean = lambda x: kept(x)\n'],
    ])('is a finding where it %s', (_name, patch) => {
      expect(judged(patch)).toContain('patches-the-subject');
    });
  });

  it('only notes a stub of a module that is not the subject', () => {
    const text = 'import sys, types\nsys.modules["wandb"] = types.ModuleType("wandb")\nimport picker\npicker.running([[1]])\n';
    expect(codes(check(text))).toEqual([]);
    expect(codes(check(text), 'advice')).toEqual(['stubs-the-path']);
  });

  it('suspects a file that has the name of a module of the subject', () => {
    const findings = checkScript(
      python,
      candidateOf({ 'repro.py': 'import learn\nlearn.learn()\n', 'scoring.py': 'def score(a, b): return 4.0\n' }),
      subject,
      bundleParts().claim,
    );
    expect(codes(findings)).toEqual(['runs-a-copy']);
  });

  it('finds a module whose text is not the snapshot’s', () => {
    const loaded = (sha256: string): EvidenceRecord[] =>
      createEvidence()
        .modules('scoring.py')
        .exit(0)
        .build()
        .map((record) => (record.kind === 'modules' ? { ...record, loaded: [{ file: 'scoring.py', sha256 }] } : record));
    const text = 'import learn\nprint("OBS acc=%s" % learn.learn()[0])\n';
    expect(codes(confirm(text, FACETS.accuracy, { candidate: loaded('1'.repeat(64)) }), 'finding')).toEqual(['runs-a-copy']);
    expect(codes(confirm(text, FACETS.accuracy, { candidate: loaded(subject.hashes.get('scoring.py') ?? '') }), 'finding')).toEqual([]);
  });
});

describe('never-calls-the-subject', () => {
  it('is clear where the launch runs the subject, or nothing but an import is claimed', () => {
    const own = candidateOf({ 'repro.py': 'print(1)\n' });
    const launched = { ...own, launch: { ...own.launch, steps: [{ argv: ['python', 'learn.py'], ranks: 1, continueOnError: false }] } };
    expect(codes(checkScript(python, launched, subject, { ...bundleParts().claim, facets: [FACETS.crash] }))).toEqual([]);
    expect(codes(check('import numpy\n', observedFacet([{ kind: 'import', types: [] }])))).toEqual([]);
  });

  it('takes a started process for a call, although it was killed before it could tell', () => {
    const text = 'import os, subprocess\nprint("OBS acc=4.0")\n';
    const killed = createEvidence().process(11, 10, ['python', 'learn.py']).obs({ acc: 4 }).exit(0).build();
    const found = confirm(text, FACETS.accuracy, { candidate: killed }).find((finding) => finding.rule === 'never-calls-the-subject');
    expect(found?.level).toBe('refuted');
  });
});
