import type { ModelCall, RunEvent, RunRow, RunStore, Trial, Verdict } from '@reenact/domain';
import {
  ModelCall as modelCallSchema,
  runEventSchema,
  runRowSchema,
  Trial as trialSchema,
  Verdict as verdictSchema,
} from '@reenact/domain/schemas';
import { checked, pickRun } from '../row-border.js';

interface StoredCall {
  runId: string;
  call: ModelCall;
}

/** A run store in memory that behaves like the real one. */
export class MemoryRunStore implements RunStore {
  private readonly runs = new Map<string, RunRow>();
  private readonly events = new Map<string, Map<string, RunEvent>>();
  private readonly trials = new Map<string, Trial>();
  private readonly verdicts = new Map<string, Verdict>();
  private readonly modelCalls = new Map<string, StoredCall>();

  async upsertRun(row: RunRow): Promise<void> {
    const run = checked(runRowSchema, row, 'The run');
    const earlier = this.runs.get(run.runId);
    if (earlier !== undefined && run.updatedAt < earlier.updatedAt) return;
    this.runs.set(run.runId, { ...run, createdAt: earlier?.createdAt ?? run.createdAt });
  }

  async getRun(runIdOrPrefix: string): Promise<RunRow | null> {
    if (runIdOrPrefix === '') return null;
    const matches = [...this.runs.values()].filter((row) => row.runId.startsWith(runIdOrPrefix));
    return structuredClone(pickRun(matches, runIdOrPrefix));
  }

  async listRuns(limit: number): Promise<RunRow[]> {
    const byTime = (a: RunRow, b: RunRow) => compare(b.createdAt, a.createdAt) || compare(a.runId, b.runId);
    return structuredClone([...this.runs.values()].sort(byTime).slice(0, limit));
  }

  async appendEvent(runId: string, key: string, event: Omit<RunEvent, 'sequence'>): Promise<void> {
    const { data, ...rest } = checked(runEventSchema, { ...event, sequence: 1 }, `Event ${key}`);
    const events = this.events.get(runId) ?? new Map<string, RunEvent>();
    this.events.set(runId, events);
    if (events.has(key)) return;
    events.set(key, structuredClone({ ...rest, ...(data !== undefined && { data }), sequence: events.size + 1 }));
  }

  async listEvents(runId: string, after: number): Promise<RunEvent[]> {
    const events = [...(this.events.get(runId)?.values() ?? [])];
    return structuredClone(events.filter((event) => event.sequence > after));
  }

  async putTrial(trial: Trial): Promise<void> {
    const next = checked(trialSchema, trial, 'The trial');
    if (this.trials.get(trial.id)?.outcome !== 'finished') this.trials.set(trial.id, next);
  }

  async getTrial(id: string): Promise<Trial | null> {
    return structuredClone(this.trials.get(id) ?? null);
  }

  async putVerdict(runId: string, verdict: Verdict): Promise<void> {
    this.verdicts.set(runId, checked(verdictSchema, verdict, `The verdict of run ${runId}`));
  }

  async getVerdict(runId: string): Promise<Verdict | null> {
    return structuredClone(this.verdicts.get(runId) ?? null);
  }

  async putModelCall(key: string, runId: string, call: ModelCall): Promise<void> {
    this.modelCalls.set(key, { runId, call: checked(modelCallSchema, call, `Model call ${key}`) });
  }

  async getModelCall(key: string): Promise<ModelCall | null> {
    return structuredClone(this.modelCalls.get(key)?.call ?? null);
  }

  async listModelCalls(runId: string): Promise<ModelCall[]> {
    return [...this.modelCalls.values()].filter((stored) => stored.runId === runId).map((stored) => structuredClone(stored.call));
  }

  close(): void {
    // nothing is held
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
