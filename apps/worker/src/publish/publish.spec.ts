import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Verdict } from '@reenact/domain/schemas';
import type { Arm, AttemptRecord, CoreActivities, EvidenceRecord, Trial } from '@reenact/domain';
import { formatEvidence, parseEvidence } from '@reenact/sandbox';
import type { ScriptedRecord } from '@reenact/sandbox';
import { FolderArtifactStore } from '@reenact/store';
import { MemoryRunStore } from '@reenact/store/testing';
import { freezeBundle, judge, judgeTrial } from '@reenact/verdict';
import type { Judgement } from '@reenact/verdict';
import { bundleParts, judgeInput } from '@reenact/verdict/testing';
import { createPublishActivities } from '../activities/publish-activities.js';
import type { Dependencies } from '../dependencies.js';
import { putJson } from '../json-artifacts.js';
import { createTreeCache } from '../tree-cache.js';

const PARTS = bundleParts();
const SENTINEL = 'sentinel-1';
type PublishInput = Parameters<CoreActivities['publish']>[0];

let directory: string;
let artifacts: FolderArtifactStore;
let runs: MemoryRunStore;
let publish: CoreActivities['publish'];

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'reenact-publish-'));
  artifacts = new FolderArtifactStore(path.join(directory, 'artifacts'));
  runs = new MemoryRunStore();
  const trees = createTreeCache(artifacts, path.join(directory, 'trees'));
  // publishing reaches nothing else of the outside world
  const deps = { artifacts, runs, trees, stateDirectory: directory } as unknown as Dependencies;
  publish = createPublishActivities(deps).publish;
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function scripted(exception: Pick<Extract<ScriptedRecord, { kind: 'exception' }>, 'type' | 'message'> | null): ScriptedRecord[] {
  const frames = [
    { file: 'repro.py', function: '<module>', place: 'script' as const },
    { file: 'tool.py', function: 'total', line: 3, place: 'subject' as const },
  ];
  const raised = { bases: [], notes: [], frames, causes: [], how: 'uncaught' as const, raisedIn: 'subject' as const };
  return [
    { kind: 'begin', protocol: 1, sandbox: 'namespaces', isolation: ['user'], kernel: 'test', cpus: 1 },
    { kind: 'environment', python: '3.11.2', platform: 'linux', distributions: [{ name: 'numpy', version: '1.26.4' }] },
    { kind: 'modules', source: 'probe', pid: 2, loaded: [{ file: 'tool.py', sha256: '0'.repeat(64) }] },
    ...(exception === null ? [] : [{ kind: 'exception' as const, source: 'probe' as const, pid: 2, ...exception, ...raised }]),
    {
      kind: 'exit',
      pid: 2,
      step: 0,
      code: exception === null ? 0 : 1,
      signal: null,
      wallSeconds: 1,
      cpuSeconds: 1,
      peakRssBytes: 1,
      endedBy: 'self',
    },
  ];
}

const EVIDENCE: Record<string, ScriptedRecord[]> = {
  candidate: scripted({ type: 'builtins.ValueError', message: 'too many values: 3 </script><b>' }),
  fixed: scripted(null),
  tripwire: scripted({ type: 'builtins.RuntimeError', message: `reenact-tripwire-${SENTINEL}` }),
};

async function storeTrial(arm: Arm, index: number): Promise<{ trial: Trial; records: EvidenceRecord[] }> {
  const bytes = formatEvidence(EVIDENCE[arm] ?? []);
  const trial: Trial = {
    schemaVersion: 1,
    id: `0a1b2c3d4e5f-${arm}-${index}`,
    bundleId: 'b',
    environmentId: 'e1',
    arm,
    treeHash: 't',
    index,
    outcome: 'finished',
    infraReason: null,
    evidence: await artifacts.putBytes(bytes),
    sentinel: arm === 'tripwire' ? SENTINEL : null,
    seconds: 1,
    overheadSeconds: 0,
  };
  await runs.putTrial(trial);
  return { trial, records: parseEvidence(bytes) };
}

/** A finished run with one attempt: its bundle, its trials, and the judgement over them, which `change` may falsify. */
async function finishedRun(change: (judgement: Judgement) => Judgement = (judgement) => judgement): Promise<PublishInput> {
  const bundle = path.join(directory, 'bundle');
  const subject = path.join(directory, 'subject');
  await mkdir(subject);
  await writeFile(path.join(subject, 'tool.py'), 'a\n');
  const treeHash = await artifacts.putTree(subject);
  const manifest = await freezeBundle(bundle, { ...PARTS, subject: { ...PARTS.subject, treeHash } });
  const stored = [];
  for (const [arm, count] of [
    ['candidate', 3],
    ['fixed', 3],
    ['tripwire', 1],
  ] as const)
    for (let index = 0; index < count; index += 1) stored.push(await storeTrial(arm, index));
  const judged = stored.map(({ trial, records }) => judgeTrial(trial, records, PARTS.facets, { readByRules: true }));
  const judgement = change(judge(judgeInput([...PARTS.facets], judged, { scope: 'script' })));
  const attempt: AttemptRecord = {
    context: 0,
    attempt: 1,
    candidate: await putJson(artifacts, PARTS.candidate),
    candidateId: 'c1',
    origin: 'given',
    result: judgement.verdict,
    note: judgement.sentence,
    judgement: await putJson(artifacts, judgement),
    bundle: { bundleId: manifest.id, bundleTree: await artifacts.putTree(bundle) },
    evidence: stored[0]?.trial.evidence ?? null,
    signature: 's',
    trials: stored.map(({ trial }) => trial.id),
  };
  return {
    runId: 'it-crashes-1a2b3c',
    title: 'It crashes',
    claim: await putJson(artifacts, PARTS.claim),
    environment: await putJson(artifacts, PARTS.environment),
    attempts: [attempt],
    ended: null,
    scope: 'script',
    usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: null },
    skipped: [],
    startedAtMilliseconds: 0,
    endedAtMilliseconds: 12_340,
  };
}

const inFolder = (name: string) => readFile(path.join(directory, 'runs', 'it-crashes-1a2b3c', name), 'utf8');
const published = async () => Verdict.parse(JSON.parse(await inFolder('verdict.json')));

describe('publish', () => {
  it('writes a result in which every sentence is grounded, and the records that it links to', async () => {
    expect(await publish(await finishedRun())).toMatchObject({ verdict: 'reproduced', exitStatus: 0 });
    const { statements, sentence } = await published();
    expect(sentence).toMatch(/^Reproduced: 3 of 3 fresh trials .*, 0 of 3 with fix.patch; grade A, depth L6\.$/);
    expect(statements?.filter(({ standing }) => standing !== 'grounded')).toEqual([]);
    const page = await inFolder('result.html');
    expect(page).toContain('too many values: 3 &lt;/script&gt;&lt;b&gt;');
    expect(page).not.toContain('</script>');
    const lines = (await inFolder('evidence/0a1b2c3d4e5f-candidate-0.jsonl')).trim().split('\n');
    const link = /evidence\/0a1b2c3d4e5f-candidate-0\.jsonl#L(\d+)\)/.exec((await inFolder('verdict.md')).split('### ')[1] ?? '');
    expect(JSON.parse(lines[Number(link?.[1]) - 1] ?? '')).toMatchObject({ kind: 'exception', seq: 3 });
  });

  it('gives no answer where the judgement says more than its trials do', async () => {
    const inflated = await finishedRun((judgement) => ({
      ...judgement,
      clauses: judgement.clauses.map((clause) => ({
        ...clause,
        text: clause.text.replace('3 of 3', '5 of 5').replace('29–100', '48–100'),
      })),
    }));
    expect(await publish(inflated)).toMatchObject({ verdict: 'inconclusive', exitStatus: 11 });
    const { reason, statements } = await published();
    expect(reason).toBe('grounding');
    expect(statements?.find(({ text }) => text.includes('5 of 5'))).toMatchObject({ standing: 'not-grounded' });
    expect((await inFolder('result.html')).split('id="not-grounded"')[0]).not.toContain('5 of 5');
    expect((await inFolder('verdict.md')).split('## Not grounded')[0]?.split('## Attempts')[0]).not.toContain('5 of 5');
  });

  it('gives no answer where evidence was changed after it was judged', async () => {
    const input = await finishedRun();
    const evidence = (await runs.getTrial('0a1b2c3d4e5f-fixed-1'))?.evidence ?? '';
    const other = await artifacts.putBytes(formatEvidence(EVIDENCE['candidate'] ?? []));
    const file = artifacts.pathOf(evidence);
    await rm(file);
    await writeFile(file, await readFile(artifacts.pathOf(other)));
    expect(await publish(input)).toMatchObject({ verdict: 'inconclusive' });
  });

  it('marks an observation whose words no record has, and leaves the rest', async () => {
    const invented = await finishedRun((judgement) => ({
      ...judgement,
      facets: judgement.facets.map((facet) => ({
        ...facet,
        grounding: facet.grounding.map((one, index) => (index === 0 ? { ...one, text: 'ValueError: 42 values' } : one)),
      })),
    }));
    expect(await publish(invented)).toMatchObject({ verdict: 'reproduced' });
    const { statements } = await published();
    expect(statements?.filter(({ standing }) => standing === 'not-grounded').map(({ text }) => text)).toEqual([
      'Trial 0a1b2c3d4e5f-candidate-0 has “ValueError: 42 values”',
    ]);
    expect((await inFolder('reproduction.json')).includes('42 values')).toBe(false);
  });

  it('writes the very same files when it is repeated', async () => {
    const input = await finishedRun();
    await publish(input);
    const first = [await inFolder('verdict.json'), await inFolder('result.html'), await inFolder('verdict.md')];
    await publish(input);
    expect([await inFolder('verdict.json'), await inFolder('result.html'), await inFolder('verdict.md')]).toEqual(first);
  });

  it('says what is missing where the run ended before any attempt', async () => {
    const input = { ...(await finishedRun()), attempts: [], scope: 'run' as const };
    const reason = 'dependency: No set of wheels fits torch==0.1.';
    expect(await publish({ ...input, ended: { state: 'unsupported', reason } })).toMatchObject({ verdict: 'unsupported', exitStatus: 11 });
    const { needs, sentence, statements } = await published();
    expect(needs).toMatchObject([{ reason: 'dependency', give: expect.stringContaining('--with') as string }]);
    expect(sentence).toBe('Not supported here: dependency: No set of wheels fits torch==0.1.');
    expect(statements?.every(({ standing }) => standing === 'grounded')).toBe(true);
    expect(await inFolder('result.html')).toContain('What is missing here');
  });
});
