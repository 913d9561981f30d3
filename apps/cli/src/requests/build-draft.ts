import path from 'node:path';
import { AppError } from '@reenact/domain';
import type { Configuration, JudgeRequest, ModelUse, ReproduceRequest, SubjectAddress } from '@reenact/domain';
import { readReport } from '@reenact/report';
import { prepareSubject } from '@reenact/sandbox';
import { parseOracleFile } from '@reenact/verdict';
import { parseFixedAddress, parseSubjectAddress } from '../addresses.js';
import type { Session } from '../runs/session.js';
import { kindOf } from './case-directory.js';
import { experimentSource, interpreterPath } from './experiment-source.js';
import { MAX_REPORT_BYTES, readInput } from './read-input.js';
import type { ExperimentOptions, ExperimentSource } from './run-options.js';

type Draft<T> = Omit<T, 'runId' | 'series'>;

const DEFAULT_ATTEMPTS = 5;
const MAX_SCRIPT_BYTES = 4_000_000;

/** Where a command was called, and with what. */
export interface DraftInput {
  caseDirectory?: string | undefined;
  options: ExperimentOptions;
  workingDirectory: string;
}

/**
 * Makes the request of `run`: stores the report and the patch, and takes the snapshot of a folder at once, so that later edits do not matter.
 * @throws AppError of the group `user` for whatever is wrong with the input.
 */
export async function buildReproduceDraft(session: Session, input: DraftInput): Promise<Draft<ReproduceRequest>> {
  const source = await experimentSource(input.caseDirectory, input.options, input.workingDirectory);
  return { kind: 'reproduce', ...(await buildCommon(session, source, input)) };
}

/** Makes the request of `judge`. @throws AppError as {@link buildReproduceDraft}, and `oracle-invalid`. */
export async function buildJudgeDraft(
  session: Session,
  input: DraftInput & { script: string; oracle: string | undefined },
): Promise<Draft<JudgeRequest>> {
  const source = await experimentSource(input.caseDirectory, input.options, input.workingDirectory);
  const script = path.resolve(input.workingDirectory, input.script);
  const text = await readInput(script, { what: 'script', maxBytes: MAX_SCRIPT_BYTES });
  const oracles = input.oracle === undefined ? null : await storeOracle(session, path.resolve(input.workingDirectory, input.oracle));
  return {
    kind: 'judge',
    ...(await buildCommon(session, source, input)),
    script: { name: scriptName(script), text: await session.artifacts.putBytes(text) },
    oracles,
  };
}

async function buildCommon(session: Session, source: ExperimentSource, input: DraftInput): Promise<Draft<Omit<ReproduceRequest, 'kind'>>> {
  const { options, workingDirectory } = input;
  const bytes = await readInput(source.reportPath, { what: 'report', maxBytes: MAX_REPORT_BYTES });
  const { title } = readReport(bytes);
  const place = path.resolve(workingDirectory, source.subject);
  const subject = parseSubjectAddress(source.subject, { workingDirectory, kind: await kindOf(place) });
  return {
    schemaVersion: 1,
    title,
    report: await session.artifacts.putBytes(bytes),
    subject,
    treeHash: await snapshot(session, subject),
    ...(await storeFixed(session, source.fixed, { subject, workingDirectory })),
    controlPython: options.controlPython === undefined ? null : interpreterPath(options.controlPython, workingDirectory),
    python: source.python,
    requirements: source.requirements,
    goodRequirements: source.goodRequirements,
    limits: source.limits,
    allowUnsandboxed: options.unsandboxed === true || source.isOwnExample,
    model: modelUse(session.configuration, options, { attempts: source.attempts, workingDirectory }),
  };
}

/** Freezes a folder and answers its tree hash; an address that is fetched later gives null. */
export async function snapshot(session: Session, address: SubjectAddress): Promise<string | null> {
  if (address.type !== 'folder') return null;
  const deps = { store: session.artifacts, workDirectory: session.paths.scratch, interpreter: session.configuration.python ?? 'python3' };
  const subject = await prepareSubject(deps, address, { reportDate: null, signal: new AbortController().signal });
  return subject.treeHash;
}

async function storeFixed(
  session: Session,
  text: string | null,
  known: { subject: SubjectAddress; workingDirectory: string },
): Promise<Pick<ReproduceRequest, 'fixed' | 'fixedTreeHash'>> {
  if (text === null) return { fixed: null, fixedTreeHash: null };
  const kind = await kindOf(path.resolve(known.workingDirectory, text));
  const { subject } = known;
  const subjectHasHistory = subject.type === 'folder' && (await kindOf(path.join(subject.path, '.git'))) !== null;
  const fixed = parseFixedAddress(text, { ...known, kind, subjectHasHistory });
  if (fixed.type !== 'patch-file') return { fixed, fixedTreeHash: await snapshot(session, fixed) };
  const patch = await session.artifacts.putBytes(await readInput(fixed.path, { what: 'patch', maxBytes: MAX_REPORT_BYTES }));
  return { fixed: { type: 'patch', patch }, fixedTreeHash: null };
}

async function storeOracle(session: Session, file: string): Promise<string> {
  const bytes = await readInput(file, { what: 'oracle', maxBytes: MAX_SCRIPT_BYTES });
  parseOracleFile(Buffer.from(bytes).toString('utf8'));
  return session.artifacts.putBytes(bytes);
}

/** The model a run may ask: the configured one, unless `--no-model`; recorded answers need none. */
export function modelUse(
  configuration: Configuration,
  options: ExperimentOptions,
  more: { attempts: number | null; workingDirectory: string },
): ModelUse {
  const folder = (given: string | undefined, configured: string | null) => {
    const place = given ?? configured;
    return place === null ? null : path.resolve(more.workingDirectory, place);
  };
  const record = folder(options.record, configuration.model?.record ?? null);
  const replay = folder(options.replay, configuration.model?.replay ?? null);
  if (record !== null && replay !== null) throw new AppError('usage', 'Model calls can be recorded or replayed, not both at once.');
  return {
    enabled: options.model && (configuration.model !== null || replay !== null),
    budget: {
      costUsd: options.budgetUsd ?? null,
      tokens: options.budgetTokens ?? null,
      minutes: options.budgetMinutes ?? null,
      attemptsPerContext: more.attempts ?? DEFAULT_ATTEMPTS,
    },
    record,
    replay,
  };
}

/** The name a script is stored under: its own where that is plain. */
function scriptName(file: string): string {
  const name = path.basename(file);
  return /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}$/.test(name) ? name : 'script.py';
}
