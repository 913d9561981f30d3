import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '@reenact/domain';
import type { ArtifactStore, RunRow, RunStore, Verdict } from '@reenact/domain';
import { z } from 'zod';
import type { StoryMark } from './kill-points.js';

/** What of an attempt's file refers to something. */
const AttemptReferences = z.object({
  candidate: z.string(),
  evidence: z.string().nullable(),
  judgement: z.string().nullable(),
  bundle: z.object({ bundleTree: z.string() }).nullable(),
});

/** What is wrong in the records of one run. */
export interface RecordFindings {
  lost: string[];
  contradictory: string[];
}

/** One line of a run's story as it lies in the database. */
export interface StoryRow {
  sequence: number;
  key: string;
  phase: string;
  at: string;
}

/** The story of a run; its keys are not part of the store's port. */
export function readStory(runDatabase: string, runId: string): StoryRow[] {
  const database = new DatabaseSync(runDatabase, { readOnly: true, timeout: 2000 });
  try {
    const rows = database.prepare('SELECT sequence, key, phase, at FROM events WHERE run_id = ? ORDER BY sequence').all(runId);
    return rows.map((row) => ({
      sequence: Number(row['sequence']),
      key: String(row['key']),
      phase: String(row['phase']),
      at: String(row['at']),
    }));
  } finally {
    database.close();
  }
}

/** What of a verdict must not depend on kills: everything but names and times. */
export function answerOf(verdict: Verdict): Record<string, unknown> {
  return {
    verdict: verdict.verdict,
    rate: verdict.rate,
    grade: verdict.grade,
    depth: verdict.depth,
    facets: verdict.facets.map(({ state, rate, shownBy }) => ({ state, rate, shownBy })),
    controls: verdict.controls.map(({ arm, state, rate, p }) => ({ arm, state, rate, p })),
    attempts: verdict.attempts.map(({ context, attempt, origin, result }) => ({ context, attempt, origin, result })),
    findings: verdict.findings.map(({ rule }) => rule),
    reason: verdict.reason,
    trials: verdict.trials,
    cost: verdict.cost,
  };
}

/** What an undisturbed run left. */
export interface Undisturbed {
  answer: Record<string, unknown>;
  marks: readonly StoryMark[];
}

/** The stores that a run is checked in. */
export interface CheckedStores {
  runs: RunStore;
  artifacts: ArtifactStore;
  runDatabase: string;
}

/** Compares a run's records with those of an undisturbed run and with each other; every reference in them is followed. */
export async function checkRecords(stores: CheckedStores, row: RunRow, expected: Undisturbed): Promise<RecordFindings> {
  const verdict = await stores.runs.getVerdict(row.runId);
  if (verdict === null) return { lost: ['the store has no verdict'], contradictory: [] };
  const lost: string[] = [];
  const contradictory: string[] = [];
  if (row.state !== 'done' || row.verdict !== verdict.verdict) contradictory.push(`the run's row says ${row.state}, ${row.verdict}`);
  const answer = answerOf(verdict);
  if (canonicalJson(answer) !== canonicalJson(expected.answer))
    contradictory.push(`another verdict than the undisturbed one: ${difference(expected.answer, answer)}`);
  const file = await readFile(path.join(row.folder, 'verdict.json'), 'utf8').catch(() => null);
  if (file === null) lost.push('verdict.json is not there');
  else if (!isDeepStrictEqual(parsed(file), verdict)) contradictory.push('verdict.json differs from the store');
  checkStory(readStory(stores.runDatabase, row.runId), expected.marks, { lost, contradictory });
  lost.push(...(await danglingReferences(stores, row, verdict)));
  return { lost, contradictory };
}

function checkStory(story: readonly StoryRow[], marks: readonly StoryMark[], findings: RecordFindings): void {
  const keys = story.map((line) => line.key);
  const missing = marks.filter((mark) => !keys.includes(mark.key)).map((mark) => mark.key);
  if (missing.length > 0) findings.lost.push(`story lines ${missing.join(', ')}`);
  const told = story.map((line) => `${line.key} ${line.phase}`);
  const wanted = marks.filter((mark) => !missing.includes(mark.key)).map((mark) => `${mark.key} ${mark.phase}`);
  if (!isDeepStrictEqual(told, wanted)) findings.contradictory.push(`the story goes ${told.join(', ')}`);
  if (story.some((line, index) => line.sequence !== index + 1)) findings.contradictory.push('the story has gaps in its numbers');
}

async function danglingReferences(stores: CheckedStores, row: RunRow, verdict: Verdict): Promise<string[]> {
  const dangling: string[] = [];
  const trials = [
    ...verdict.controls.flatMap((control) => control.trials),
    ...verdict.facets.flatMap((facet) => facet.grounding.map((one) => one.trial)),
  ];
  for (const id of new Set(trials)) {
    const trial = await stores.runs.getTrial(id);
    if (trial?.evidence == null) dangling.push(`trial ${id}`);
    else if (!(await resolves(stores.artifacts, trial.evidence))) dangling.push(`evidence of trial ${id}`);
  }
  for (const ref of verdict.attempts.flatMap(({ evidence }) => (evidence === null ? [] : [evidence]))) {
    if (!(await resolves(stores.artifacts, ref))) dangling.push(`evidence ${ref}`);
  }
  for (const name of [...(verdict.bundle === null ? [] : [verdict.bundle.path]), 'verdict.md', 'reproduction.json', 'claim.json']) {
    if (!existsSync(path.join(row.folder, name))) dangling.push(name);
  }
  const attempts = await readdir(path.join(row.folder, 'attempts')).catch(() => [] as string[]);
  if (attempts.length !== verdict.attempts.length) dangling.push(`${verdict.attempts.length} attempt(s), but ${attempts.length} folder(s)`);
  for (const attempt of attempts) dangling.push(...(await danglingOfAttempt(stores, path.join(row.folder, 'attempts', attempt))));
  return dangling;
}

async function danglingOfAttempt({ artifacts }: CheckedStores, folder: string): Promise<string[]> {
  const text = await readFile(path.join(folder, 'attempt.json'), 'utf8').catch(() => '');
  const record = AttemptReferences.safeParse(parsed(text));
  if (!record.success) return [`${folder}/attempt.json`];
  const { candidate, evidence, judgement, bundle } = record.data;
  const dangling = [];
  for (const ref of [candidate, evidence, judgement]) if (ref !== null && !(await resolves(artifacts, ref))) dangling.push(ref);
  if (bundle !== null && !(await artifacts.hasTree(bundle.bundleTree))) dangling.push(`bundle tree ${bundle.bundleTree}`);
  return dangling;
}

/** The store checks content against its address when it reads. */
async function resolves(artifacts: ArtifactStore, ref: string): Promise<boolean> {
  return artifacts.getBytes(ref).then(
    () => true,
    () => false,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function difference(expected: Record<string, unknown>, found: Record<string, unknown>): string {
  const keys = Object.keys(expected).filter((key) => !isDeepStrictEqual(expected[key], found[key]));
  return keys.map((key) => `${key} ${JSON.stringify(found[key])} for ${JSON.stringify(expected[key])}`).join('; ');
}
