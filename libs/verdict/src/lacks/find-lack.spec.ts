import { describe, expect, it } from 'vitest';
import type { Claim, EvidenceRecord, Facet, Frame } from '@reenact/domain';
import { checkStatement } from '../grounding/check-grounding.js';
import { createEvidence, exceptionOracle, frame, observedFacet, relationOracle } from '../testing/index.js';
import { playResult } from '../testing/ledger-builder.js';
import { findLack } from './find-lack.js';
import type { LackQuestion } from './find-lack.js';
import { suspectLack } from './lack-rules.js';

const diverges = observedFacet([relationOracle('loss', '>', 100)], { shownBy: 'measurement' });
const inSubject = [frame('script', 'repro.py', '<module>'), frame('subject', 'train.py', 'main')];
const inScript = [frame('script', 'repro.py', '<module>')];

function claimOf(facets: Facet[], extra: Partial<Omit<Claim, 'environment'>> & { devices?: string[] } = {}): Claim {
  const { devices = [], ...rest } = extra;
  return {
    schemaVersion: 1,
    title: 't',
    reportDigest: 'd',
    facets,
    triggers: [],
    frames: [],
    symbols: [],
    claimedRate: 1,
    worldSize: null,
    environment: { python: [], packages: [], goodPackages: [], devices },
    missing: [],
    madeBy: 'rules',
    ...rest,
  };
}

const failing = (type: string, message: string, frames: Frame[] = inSubject): EvidenceRecord[] =>
  createEvidence().modules('train.py').exception({ type, message, frames }).exit(1).build();
const measured = (loss: number): EvidenceRecord[] => createEvidence().modules('train.py').obs({ loss }).exit(0).build();

/** What is found missing where every attempt ends as this evidence does. */
function ask(records: EvidenceRecord[], extra: Partial<LackQuestion> & { origin?: string; facets?: Facet[] } = {}) {
  const { origin = 'report-command', facets = [diverges], ...rest } = extra;
  const { judgement, ledger } = playResult(facets, () => records, { scope: 'run' });
  const claim = rest.claim ?? claimOf(facets);
  const attempt = { judgement, origin, trial: judgement.candidates[0] ?? '', records };
  const lack = findLack({
    verdict: judgement.verdict,
    decidedBy: 0,
    attempts: [attempt],
    claim,
    platform: null,
    subjectFiles: ['train.py'],
    ...rest,
  });
  const refused = (lack?.clauses ?? []).flatMap((clause) => checkStatement(clause, { ...ledger, claim }) ?? []);
  return { lack, judgement, refused };
}

describe('findLack', () => {
  it.each<[string, string, string, string]>([
    ['builtins.RuntimeError', 'Found no NVIDIA driver on your system.', 'hardware', 'an NVIDIA GPU with CUDA'],
    ['builtins.AssertionError', 'Torch not compiled with CUDA enabled', 'hardware', 'an NVIDIA GPU with CUDA'],
    [
      'builtins.RuntimeError',
      'Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False.',
      'hardware',
      'an NVIDIA GPU with CUDA',
    ],
    ['builtins.FileNotFoundError', "[Errno 2] No such file or directory: 'data/train.csv'", 'data', 'the file “data/train.csv”'],
    ['builtins.ModuleNotFoundError', "No module named 'apex.amp'", 'dependency', 'the Python module “apex.amp”'],
    [
      'builtins.OSError',
      'libsndfile.so.1: cannot open shared object file: No such file',
      'dependency',
      'the system library “libsndfile.so.1”',
    ],
    [
      'huggingface_hub.errors.GatedRepoError',
      'You are trying to access a gated repo.',
      'licence',
      'access to files whose licence must be accepted first',
    ],
    ['builtins.KeyError', "'WEATHER_API_KEY'", 'service', 'the variable “WEATHER_API_KEY”'],
    ['urllib.error.URLError', '<urlopen error [Errno -3] Temporary failure in name resolution>', 'service', 'a service on the network'],
    ['builtins.ModuleNotFoundError', "No module named 'winreg'", 'platform', 'Windows'],
  ])('tells from %s: %s', (type, message, reason, what) => {
    const { lack, refused } = ask(failing(type, message));
    expect(lack?.need).toMatchObject({ reason, what });
    expect(lack?.need.give).not.toBe('');
    expect(refused).toEqual([]);
  });

  it('says how many devices the report has', () => {
    const claim = claimOf([diverges], { devices: ['cuda'], worldSize: 8 });
    const { lack, refused } = ask(failing('RuntimeError', 'No CUDA GPUs are available', inScript), { claim, origin: 'generated' });
    expect(lack?.need.what).toBe("an NVIDIA GPU with CUDA, 8 of them as the report's processes have");
    expect(refused).toEqual([]);
  });

  it('takes a wish of a made-up script for its own', () => {
    const generated = { origin: 'generated' };
    expect(ask(failing('RuntimeError', 'No CUDA GPUs are available', inScript), generated).lack).toBeNull();
    expect(ask(failing('ModuleNotFoundError', "No module named 'apex'", inScript), generated).lack).toBeNull();
    expect(ask(failing('FileNotFoundError', "[Errno 2] No such file or directory: 'x.csv'", inScript), generated).lack).toBeNull();
    expect(ask(failing('ModuleNotFoundError', "No module named 'apex'"), generated).lack?.need.reason).toBe('dependency');
  });

  it('takes a wrong folder, code and parts of the subject for no missing thing', () => {
    const files = { subjectFiles: ['data/train.csv', 'models/net.py', 'train.py'] };
    expect(ask(failing('FileNotFoundError', "[Errno 2] No such file or directory: 'train.csv'"), files).lack).toBeNull();
    expect(ask(failing('FileNotFoundError', "[Errno 2] No such file or directory: 'other.py'"), files).lack).toBeNull();
    expect(ask(failing('ModuleNotFoundError', "No module named 'models.head'"), files).lack).toBeNull();
  });

  it('leaves a claimed error to its oracle', () => {
    const facets = [
      observedFacet([exceptionOracle({ types: ['ModuleNotFoundError'], message: { text: 'torch._six', match: 'contains' } })]),
    ];
    const { judgement, lack } = ask(failing('builtins.ModuleNotFoundError', "No module named 'apex'"), { facets });
    expect(judgement.verdict).toBe('different_failure');
    expect(lack).toBeNull();
  });

  it('never takes the place of what was shown, refused or stopped', () => {
    const records = failing('RuntimeError', 'No CUDA GPUs are available');
    for (const verdict of ['reproduced', 'partial', 'refused', 'not_shown', 'cancelled', 'model_of_bug', 'needs_info'] as const)
      expect(ask(records, { verdict }).lack).toBeNull();
    const { judgement } = ask(records);
    const shown = playResult([diverges], () => measured(500), { controls: [] }).judgement;
    const claim = claimOf([diverges], { devices: ['cuda'] });
    const attempts = [judgement, shown].map((one) => ({ judgement: one, origin: 'report-command', trial: 'candidate-0', records }));
    expect(findLack({ verdict: judgement.verdict, decidedBy: 0, attempts, claim, platform: null, subjectFiles: [] })).toBeNull();
  });

  it('asks that every attempt of the deciding state lacked the same', () => {
    const lacking = {
      ...ask(failing('RuntimeError', 'No CUDA GPUs are available')),
      records: failing('RuntimeError', 'No CUDA GPUs are available'),
    };
    const other = { ...ask(failing('ValueError', 'bad shape')), records: failing('ValueError', 'bad shape') };
    const attempts = [lacking, other].map(({ judgement, records }) => ({
      judgement,
      origin: 'entry-point',
      trial: 'candidate-0',
      records,
    }));
    const question = { verdict: lacking.judgement.verdict, decidedBy: 0, claim: claimOf([diverges]), platform: null, subjectFiles: [] };
    expect(findLack({ ...question, attempts })).toBeNull();
    expect(findLack({ ...question, attempts: attempts.slice(0, 1) })).not.toBeNull();
  });

  it('tells no miss of a machine that lacks what the report is about', () => {
    const cuda = { claim: claimOf([diverges], { devices: ['cuda'] }) };
    const missed = ask(measured(1), cuda);
    expect(missed.lack?.need).toMatchObject({ reason: 'hardware', what: 'a device of kind cuda' });
    expect(missed.lack?.clauses.at(-1)?.text).toMatch(/without it, 0 of \d+ fresh trials show it/);
    expect(missed.refused).toEqual([]);
    expect(ask(measured(1), { claim: claimOf([diverges], { devices: ['cuda', 'cpu'] }) }).lack).toBeNull();
    expect(ask(measured(1)).lack).toBeNull();
    expect(ask(measured(1), { platform: 'Windows' }).lack?.need.reason).toBe('platform');
  });
});

describe('suspectLack', () => {
  it('knows nothing of an ordinary failure', () => {
    expect(suspectLack('builtins.ValueError', 'shapes (3,4) and (5,6) not aligned')).toBeNull();
    expect(suspectLack('builtins.KeyError', "'loss'")).toBeNull();
    expect(suspectLack('builtins.RuntimeError', 'CUDA error: device-side assert triggered')).toBeNull();
    expect(suspectLack('torch.OutOfMemoryError', 'CUDA out of memory. Tried to allocate 2.00 GiB')).toBeNull();
  });

  it('takes linear time over a long message', () => {
    const started = process.cpuUsage().user;
    for (const piece of ['Access to model ', "Couldn't reach ", 'NCCL', "No module named '", 'set the ', 'lib'])
      expect(suspectLack('ImportError', piece.repeat(2_000_000 / piece.length))).toBeNull();
    expect(process.cpuUsage().user - started).toBeLessThan(5_000_000);
  });
});
