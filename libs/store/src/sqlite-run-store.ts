import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { ModelCall, RunEvent, RunRow, RunStore, Trial, Verdict } from '@reenact/domain';
import {
  ModelCall as modelCallSchema,
  runEventSchema,
  runRowSchema,
  Trial as trialSchema,
  Verdict as verdictSchema,
} from '@reenact/domain/schemas';
import { checked, checkedJson, pickRun } from './row-border.js';
import { hashesIn } from './reachable.js';
import { openRunDatabase } from './run-database.js';

type Row = Record<string, SQLOutputValue>;

/** More matches of a beginning than a message can name. */
const MAX_MATCHES = 10;

const UPSERT_RUN = `INSERT INTO runs (run_id, workflow_id, title, phase, state, verdict, created_at, updated_at, folder) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (run_id) DO UPDATE SET workflow_id = excluded.workflow_id, title = excluded.title, phase = excluded.phase, state = excluded.state,
    verdict = excluded.verdict, updated_at = excluded.updated_at, folder = excluded.folder
  WHERE excluded.updated_at >= runs.updated_at`;
const APPEND_EVENT = `INSERT INTO events (run_id, sequence, key, at, phase, message, data)
  SELECT ?1, COALESCE(MAX(sequence), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM events WHERE run_id = ?1 ON CONFLICT DO NOTHING`;
const UPSERT_TRIAL = `INSERT INTO trials (id, json) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json
  WHERE json_extract(trials.json, '$.outcome') <> 'finished'`;
const UPSERT_MODEL_CALL = `INSERT INTO model_calls (key, run_id, json) VALUES (?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET run_id = excluded.run_id, json = excluded.json`;

/**
 * Runs, events, trials, verdicts and model calls in one SQLite file, for several processes at once. Every record is checked on its way in
 * and out. A run's row with an older `updatedAt` never replaces a newer one, and `createdAt` stays as first written.
 */
export class SqliteRunStore implements RunStore {
  private readonly database: DatabaseSync;

  /**
   * @param path absolute path of the database; made when absent.
   * @param report gets one sentence when a database had to be set aside.
   */
  constructor(path: string, report: (message: string) => void = () => undefined) {
    this.database = openRunDatabase(path, report);
  }

  async upsertRun(row: RunRow): Promise<void> {
    const run = checked(runRowSchema, row, 'The run');
    const { runId, workflowId, title, phase, state, verdict, createdAt, updatedAt, folder } = run;
    this.database.prepare(UPSERT_RUN).run(runId, workflowId, title, phase, state, verdict, createdAt, updatedAt, folder);
  }

  async getRun(runIdOrPrefix: string): Promise<RunRow | null> {
    if (runIdOrPrefix === '') return null;
    const matching = 'SELECT * FROM runs WHERE substr(run_id, 1, length(?1)) = ?1 ORDER BY run_id <> ?1, run_id LIMIT ?2';
    return pickRun(this.database.prepare(matching).all(runIdOrPrefix, MAX_MATCHES).map(toRunRow), runIdOrPrefix);
  }

  async listRuns(limit: number): Promise<RunRow[]> {
    return this.database.prepare('SELECT * FROM runs ORDER BY created_at DESC, run_id LIMIT ?').all(limit).map(toRunRow);
  }

  async appendEvent(runId: string, key: string, event: Omit<RunEvent, 'sequence'>): Promise<void> {
    const { at, phase, message, data } = checked(runEventSchema, { ...event, sequence: 1 }, `Event ${key}`);
    this.database.prepare(APPEND_EVENT).run(runId, key, at, phase, message, data === undefined ? null : JSON.stringify(data));
  }

  async listEvents(runId: string, after: number): Promise<RunEvent[]> {
    const rows = this.database.prepare('SELECT * FROM events WHERE run_id = ? AND sequence > ? ORDER BY sequence').all(runId, after);
    return rows.map(toRunEvent);
  }

  async putTrial(trial: Trial): Promise<void> {
    const json = JSON.stringify(checked(trialSchema, trial, 'The trial'));
    this.database.prepare(UPSERT_TRIAL).run(trial.id, json);
  }

  async getTrial(id: string): Promise<Trial | null> {
    const json = this.jsonOf('SELECT json FROM trials WHERE id = ?', id);
    return json === null ? null : checkedJson(trialSchema, json, `Trial ${id}`);
  }

  async putVerdict(runId: string, verdict: Verdict): Promise<void> {
    const json = JSON.stringify(checked(verdictSchema, verdict, `The verdict of run ${runId}`));
    const upsert = 'INSERT INTO verdicts (run_id, json) VALUES (?, ?) ON CONFLICT (run_id) DO UPDATE SET json = excluded.json';
    this.database.prepare(upsert).run(runId, json);
  }

  async getVerdict(runId: string): Promise<Verdict | null> {
    const json = this.jsonOf('SELECT json FROM verdicts WHERE run_id = ?', runId);
    return json === null ? null : checkedJson(verdictSchema, json, `The verdict of run ${runId}`);
  }

  async putModelCall(key: string, runId: string, call: ModelCall): Promise<void> {
    this.database.prepare(UPSERT_MODEL_CALL).run(key, runId, JSON.stringify(checked(modelCallSchema, call, `Model call ${key}`)));
  }

  async getModelCall(key: string): Promise<ModelCall | null> {
    const json = this.jsonOf('SELECT json FROM model_calls WHERE key = ?', key);
    return json === null ? null : checkedJson(modelCallSchema, json, `Model call ${key}`);
  }

  async listModelCalls(runId: string): Promise<ModelCall[]> {
    const rows = this.database.prepare('SELECT key, json FROM model_calls WHERE run_id = ? ORDER BY rowid').all(runId);
    return rows.map((row) => checkedJson(modelCallSchema, String(row['json']), `Model call ${String(row['key'])}`));
  }

  /** Every hash that any row names: what a collection of artefacts must keep. */
  listHashes(): string[] {
    const hashes = new Set<string>();
    for (const query of [
      'SELECT json FROM trials',
      'SELECT json FROM verdicts',
      'SELECT json FROM model_calls',
      'SELECT data AS json FROM events',
    ])
      for (const row of this.database.prepare(query).iterate()) for (const hash of hashesIn(String(row['json']))) hashes.add(hash);
    return [...hashes];
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }

  private jsonOf(query: string, key: string): string | null {
    const row = this.database.prepare(query).get(key);
    return row === undefined ? null : String(row['json']);
  }
}

function toRunRow(row: Row): RunRow {
  const {
    run_id: runId,
    workflow_id: workflowId,
    title,
    phase,
    state,
    verdict,
    created_at: createdAt,
    updated_at: updatedAt,
    folder,
  } = row;
  return checked(runRowSchema, { runId, workflowId, title, phase, state, verdict, createdAt, updatedAt, folder }, `Run ${String(runId)}`);
}

function toRunEvent(row: Row): RunEvent {
  const { sequence, at, phase, message, data } = row;
  const event = { sequence, at, phase, message, ...(typeof data === 'string' && { data: JSON.parse(data) as unknown }) };
  const { data: checkedData, ...rest } = checked(runEventSchema, event, `Event ${String(sequence)}`);
  return checkedData === undefined ? rest : { ...rest, data: checkedData };
}
