import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { findProcesses } from './live-processes.js';
import type { LiveProcess } from './live-processes.js';

const POLL_MILLISECONDS = 100;
/** A look at the process table may be that old when a kill happens. */
const BLUR_SECONDS = 1;

interface Execution {
  /** As in the name of the supervisor's request file: the first 16 hex digits of the SHA-256 of the trial's id. */
  key: string;
  firstSeen: number;
  lastSeen: number;
  /** The trial had its evidence before this execution was first seen. */
  wasRecorded: boolean;
}

/** What was seen of a point's trials. */
export interface TrialFindings {
  /** Trials with evidence. */
  recorded: number;
  /** Executions more than trials: begun again after a kill. */
  reExecuted: number;
  contradictions: string[];
}

/** Looks at the supervisors' processes and at the store's trials while a point runs. */
export interface TrialWatch {
  stop(): Promise<TrialFindings>;
}

/**
 * Counts executions from outside: one supervisor process is one execution. Nothing in the product helps it, so that a fault in the
 * product's own book-keeping is seen.
 * @param killedAt when the kill of this point happened, in seconds of `performance.now()`; null = not yet.
 */
export function watchTrials(paths: { runDatabase: string; work: string }, killedAt: () => number | null): TrialWatch {
  const executions = new Map<string, Execution>();
  const evidences = new Map<string, string>();
  const contradictions = new Set<string>();
  const before = new Set(readTrials(paths.runDatabase).map(({ id }) => id));
  const stopped = new AbortController();
  const look = async () => {
    const supervisors = await findSupervisors(paths.work);
    const now = performance.now() / 1000;
    for (const one of supervisors) {
      const name = `${one.pid} ${one.startTime}`;
      const known = executions.get(name);
      const key = keyOfRequest(one);
      // an orphan that was not seen before is what a dead supervisor left, and no execution of its own
      if (known === undefined && one.parent === 1) continue;
      if (known === undefined)
        executions.set(name, { key, firstSeen: now, lastSeen: now, wasRecorded: [...evidences.keys()].some((id) => keyOf(id) === key) });
      else known.lastSeen = now;
    }
    for (const { id, evidence } of readTrials(paths.runDatabase)) {
      if (before.has(id) || evidence === null) continue;
      const earlier = evidences.get(id);
      if (earlier !== undefined && earlier !== evidence) contradictions.add(`trial ${id} has two evidences`);
      evidences.set(id, evidence);
    }
  };
  const running = (async () => {
    while (!stopped.signal.aborted) {
      await look();
      await sleep(POLL_MILLISECONDS);
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await running;
      await look();
      const found = judgeExecutions([...executions.values()], killedAt());
      for (const one of found.contradictions) contradictions.add(one);
      return { recorded: evidences.size, reExecuted: found.reExecuted, contradictions: [...contradictions] };
    },
  };
}

/**
 * Executions of one trial, judged: another one is allowed only where the one before it was under way at the kill.
 * Times in seconds of one clock.
 */
export function judgeExecutions(
  executions: readonly Execution[],
  killedAt: number | null,
): { reExecuted: number; contradictions: string[] } {
  const contradictions: string[] = [];
  let reExecuted = 0;
  for (const key of new Set(executions.map((one) => one.key))) {
    const ofTrial = executions.filter((one) => one.key === key).sort((a, b) => a.firstSeen - b.firstSeen);
    for (const [index, one] of ofTrial.entries()) {
      const previous = ofTrial[index - 1];
      if (one.wasRecorded) contradictions.push(`trial of request ${key} ran although its evidence was there`);
      if (previous === undefined) continue;
      reExecuted += 1;
      if (previous.lastSeen > one.firstSeen + BLUR_SECONDS) contradictions.push(`trial of request ${key} ran twice at once`);
      if (killedAt === null || previous.lastSeen < killedAt - BLUR_SECONDS)
        contradictions.push(`trial of request ${key} ran again although nothing had killed it`);
    }
  }
  return { reExecuted, contradictions };
}

async function findSupervisors(work: string): Promise<LiveProcess[]> {
  const all = (await findProcesses([`${work}/`])).filter((one) =>
    one.words.some((word) => word.startsWith(`${work}/`) && word.endsWith('.json')),
  );
  const pids = new Set(all.map((one) => one.pid));
  // what a supervisor forks has its command line too
  return all.filter((one) => !pids.has(one.parent) && one.words.includes('--watch-stdin'));
}

function keyOfRequest({ words }: LiveProcess): string {
  return /request-([0-9a-f]{16})\.json$/.exec(words.find((word) => word.endsWith('.json')) ?? '')?.[1] ?? '';
}

function keyOf(trialId: string): string {
  return createHash('sha256').update(trialId).digest('hex').slice(0, 16);
}

function readTrials(runDatabase: string): { id: string; evidence: string | null }[] {
  try {
    const database = new DatabaseSync(runDatabase, { readOnly: true, timeout: 2000 });
    try {
      const rows = database.prepare("SELECT id, json_extract(json, '$.evidence') AS evidence FROM trials").all();
      return rows.map((row) => ({ id: String(row['id']), evidence: row['evidence'] === null ? null : String(row['evidence']) }));
    } finally {
      database.close();
    }
  } catch {
    return []; // not made yet, or not migrated yet
  }
}
