import { randomBytes } from 'node:crypto';
import type { ArtifactStore, FixedAddress, JudgeRequest } from '@reenact/domain';
import type { BenchQuestion } from './verdict-items.js';

export interface RequestPorts {
  artifacts: ArtifactStore;
  /** Series of the trials; without one every request gets fresh trials of its own. */
  series?: string;
}

export interface RequestSettings {
  /** The project to judge on. */
  directory: string;
  python: string;
  controlPython: string | null;
  allowUnsandboxed: boolean;
}

/** The judgement of one script of a case as a request. */
export async function judgeRequest(question: BenchQuestion, settings: RequestSettings, ports: RequestPorts): Promise<JudgeRequest> {
  const { folder, script, project, column } = question;
  const store = (text: string) => ports.artifacts.putBytes(Buffer.from(text));
  const unique = randomBytes(6).toString('hex');
  return {
    kind: 'judge',
    schemaVersion: 1,
    runId: `bench-${unique}`,
    title: `${folder.id}: ${script.name} on the ${project} project (${column})`,
    report: await ports.artifacts.putBytes(folder.report),
    subject: { type: 'folder', path: settings.directory },
    treeHash: null,
    fixed: await fixedForm(question, settings.directory, store),
    fixedTreeHash: null,
    controlPython: folder.patch === null ? settings.controlPython : null,
    python: settings.python,
    requirements: [],
    goodRequirements: [],
    limits: {},
    allowUnsandboxed: settings.allowUnsandboxed,
    model: { enabled: false, budget: { costUsd: null, tokens: null, minutes: null, attemptsPerContext: 5 }, record: null, replay: null },
    series: ports.series ?? `bench-${unique}`,
    script: { name: script.name, text: await store(script.text) },
    oracles: column === 'case' && script.oracle !== null ? await store(script.oracle) : null,
  };
}

/** The patched project is its own fixed form: what shows there shows without the fault. */
async function fixedForm(
  question: BenchQuestion,
  directory: string,
  store: (text: string) => Promise<string>,
): Promise<FixedAddress | null> {
  const { patch } = question.folder;
  if (patch === null) return null;
  return question.project === 'buggy' ? { type: 'patch', patch: await store(patch) } : { type: 'folder', path: directory };
}
