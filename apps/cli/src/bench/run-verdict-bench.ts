import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import type { ArtifactStore, JudgeRequest, Verdict } from '@reenact/domain';
import { describeInterpreter } from '@reenact/environment';
import { mapLimited } from '@reenact/store';
import { readCases } from './case-folder.js';
import { judgeRequest } from './judge-request.js';
import { patchedProject } from './patched-project.js';
import { shareOf } from './share.js';
import type { Share } from './share.js';
import { addCosts, countErrors, questionsOf, toItem } from './verdict-items.js';
import type { BenchCosts, BenchErrors, BenchItem, BenchQuestion } from './verdict-items.js';

export interface VerdictBenchOptions {
  casesDirectory: string;
  /** Interpreter of the environment under test. */
  python: string;
  /** Interpreter in which faults that have no patch are absent. */
  controlPython: string | null;
  /** Which cases are taken. */
  share: Share;
  /** Judgements under way at once. */
  concurrency: number;
  allowUnsandboxed: boolean;
}

export interface VerdictBenchPorts {
  artifacts: ArtifactStore;
  judge: (request: JudgeRequest) => Promise<Verdict>;
  onItem: (item: BenchItem, done: number, total: number) => void;
}

export interface VerdictBenchResult {
  schemaVersion: 1;
  environment: string;
  items: BenchItem[];
  errors: BenchErrors;
  totals: BenchCosts;
  /** No wrong answer. */
  holds: boolean;
  seconds: number;
}

/**
 * Judges every script of every case on the buggy and the patched project and holds the answers against the truth. Equal trials
 * are shared between judgements, since all of them run under one series.
 */
export async function runVerdictBench(options: VerdictBenchOptions, ports: VerdictBenchPorts): Promise<VerdictBenchResult> {
  const begun = performance.now();
  const facts = await describeInterpreter(options.python);
  const torch = facts.distributions.find(({ name }) => name === 'torch')?.version ?? null;
  const environment = { label: torch === null ? `Python ${facts.version}` : `torch ${torch}, Python ${facts.version}`, torch };
  const questions = questionsOf(shareOf(await readCases(options.casesDirectory), options.share));
  const scratch = await mkdtemp(path.join(tmpdir(), 'reenact-bench-'));
  try {
    const ask = questionAsker(options, ports, scratch);
    let done = 0;
    const items = await mapLimited(questions, options.concurrency, async (question) => {
      const item = toItem(question, environment, await ask(question));
      ports.onItem(item, (done += 1), questions.length);
      return item;
    });
    const errors = countErrors(items);
    return {
      schemaVersion: 1,
      environment: environment.label,
      items,
      errors,
      totals: addCosts(items),
      holds: errors.wrongReproduced + errors.wrongMissed + errors.rateNotCovered === 0,
      seconds: Math.round((performance.now() - begun) / 100) / 10,
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function questionAsker(
  options: VerdictBenchOptions,
  ports: VerdictBenchPorts,
  scratch: string,
): (question: BenchQuestion) => Promise<Verdict> {
  const series = `bench-${randomBytes(6).toString('hex')}`;
  const patched = new Map<string, Promise<string>>();
  return async (question) => {
    const { folder, project } = question;
    if (!patched.has(folder.directory)) patched.set(folder.directory, patchedProject(folder, scratch));
    const directory = project === 'buggy' ? folder.projectDirectory : ((await patched.get(folder.directory)) ?? folder.projectDirectory);
    const { python, controlPython, allowUnsandboxed } = options;
    return ports.judge(
      await judgeRequest(question, { directory, python, controlPython, allowUnsandboxed }, { artifacts: ports.artifacts, series }),
    );
  };
}
