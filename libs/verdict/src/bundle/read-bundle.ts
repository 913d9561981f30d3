import { lstat, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, isAppError } from '@reenact/domain';
import type {
  BundleEnvironment,
  BundleManifest,
  BundleSubject,
  Candidate,
  Claim,
  Control,
  Facet,
  Launch,
  MeasuredRate,
} from '@reenact/domain';
import * as schemas from '@reenact/domain/schemas';
import type { Suspect } from '../controls/suspects.js';
import { expectedRate } from '../verification/expected-rate.js';
import { BESIDE_THE_ID, manifestOf } from './freeze-bundle.js';
import { assertSafePath } from './tar.js';

/** A bundle as read and checked. Paths are absolute. */
export interface Bundle {
  manifest: BundleManifest;
  directory: string;
  scriptDirectory: string;
  /** The script and its launch as a candidate, so that static rules can look at it again. */
  candidate: Candidate;
  subject: BundleSubject;
  environment: BundleEnvironment;
  lock: string;
  launch: Launch;
  claim: Claim;
  facets: Facet[];
  /** What an earlier series of it saw, if any. */
  measured: MeasuredRate | null;
  /** Rate that a series reckons with: what an earlier one measured, else what the report says. In (0, 1]. */
  expectedRate: number;
  controls: Control[];
  suspects: Suspect[];
  provenance: Record<string, unknown>;
  /** The subject's tree where the bundle carries it; its tree hash must still be compared with `subject.treeHash`. */
  subjectDirectory: string | null;
}

interface Schema<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
}

/**
 * Reads a bundle and checks every file against the manifest, the manifest against the id, and each JSON file against
 * its schema. Files that the manifest does not name are refused, apart from the manifest, `measured.json`, `provenance.json` and `subject/`.
 * @throws AppError `bundle-invalid` naming the file
 */
export async function readBundle(directory: string): Promise<Bundle> {
  const manifest = parse(schemas.BundleManifest, 'bundle.json', await readText(directory, 'bundle.json'));
  const files = await checkedFiles(directory, manifest);
  const json = <T>(schema: Schema<T>, path: string): T => parse(schema, path, files.get(path)?.toString('utf8') ?? null);
  const oracles = json(schemas.BundleOracles, 'oracles.json');
  const controls = json(schemas.BundleControls, 'controls.json');
  const launch = json(schemas.Launch, 'launch.json');
  const measured = await readMeasured(directory);
  const provenance = await readProvenance(directory);
  const subjectThere = await lstat(join(directory, 'subject')).catch(() => null);
  return {
    manifest,
    directory,
    scriptDirectory: join(directory, 'script'),
    candidate: candidateOf(files, launch, { id: manifest.id, provenance }),
    subject: json(schemas.BundleSubject, 'subject.json'),
    environment: json(schemas.BundleEnvironment, 'environment.json'),
    lock: required(files, 'environment.lock'),
    launch,
    claim: json(schemas.Claim, 'claim.json'),
    facets: oracles.facets,
    measured,
    expectedRate: expectedRate(oracles.facets, oracles.claimedRate, measured),
    controls: controls.controls,
    suspects: controls.suspects,
    provenance,
    subjectDirectory: subjectThere?.isDirectory() === true ? join(directory, 'subject') : null,
  };
}

function candidateOf(
  files: ReadonlyMap<string, Buffer>,
  launch: Launch,
  bundle: { id: string; provenance: Record<string, unknown> },
): Candidate {
  const told = schemas.Candidate.pick({ origin: true }).safeParse(bundle.provenance['candidate']);
  const scripts = [...files].filter(([path]) => path.startsWith('script/'));
  return {
    schemaVersion: 1,
    id: bundle.id.slice(0, 12),
    origin: told.success ? told.data.origin : 'given',
    files: scripts.map(([path, content]) => ({ path: path.slice('script/'.length), text: content.toString('utf8') })),
    launch,
    source: `bundle ${bundle.id.slice(0, 12)}`,
    repairs: [],
  };
}

async function checkedFiles(directory: string, manifest: BundleManifest): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const { path, sha256 } of manifest.files) {
    assertSafePath(path);
    const found = await lstat(join(directory, path)).catch(() => null);
    if (found?.isFile() !== true) throw new AppError('bundle-invalid', `${path}: not there`);
    files.set(path, await readFile(join(directory, path)));
    const actual = manifestOf(new Map([[path, files.get(path) ?? '']])).files[0];
    if (actual?.sha256 !== sha256) throw new AppError('bundle-invalid', `${path}: changed since the bundle was frozen`);
  }
  if (manifestOf(files).id !== manifest.id) throw new AppError('bundle-invalid', 'bundle.json: the id does not fit the files');
  for (const path of await listFiles(directory, '')) {
    if (!files.has(path) && !BESIDE_THE_ID.has(path)) throw new AppError('bundle-invalid', `${path}: not named in bundle.json`);
  }
  return files;
}

/** Everything in the bundle but the subject's tree; a link counts as a file, and no manifest names it. */
async function listFiles(directory: string, below: string): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(join(directory, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (path === 'subject' && entry.isDirectory()) continue;
    if (entry.isDirectory()) paths.push(...(await listFiles(directory, path)));
    else paths.push(path);
  }
  return paths;
}

async function readProvenance(directory: string): Promise<Record<string, unknown>> {
  const text = await readText(directory, 'provenance.json').catch(() => '{}');
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    throw new AppError('bundle-invalid', 'provenance.json: not JSON');
  }
}

async function readMeasured(directory: string): Promise<MeasuredRate | null> {
  const there = await lstat(join(directory, 'measured.json')).catch(() => null);
  return there === null ? null : parse(schemas.MeasuredRate, 'measured.json', await readText(directory, 'measured.json'));
}

async function readText(directory: string, path: string): Promise<string> {
  return readFile(join(directory, path), 'utf8').catch((error: unknown) => {
    throw new AppError('bundle-invalid', `${path}: cannot be read`, { cause: error, hint: 'give the folder of a bundle' });
  });
}

function required(files: ReadonlyMap<string, Buffer>, path: string): string {
  const content = files.get(path);
  if (content === undefined) throw new AppError('bundle-invalid', `${path}: not there`);
  return content.toString('utf8');
}

function parse<T>(schema: Schema<T>, path: string, text: string | null): T {
  if (text === null) throw new AppError('bundle-invalid', `${path}: not there`);
  try {
    const result = schema.safeParse(JSON.parse(text));
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    throw new AppError('bundle-invalid', `${path}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
  } catch (error) {
    if (isAppError(error)) throw error;
    throw new AppError('bundle-invalid', `${path}: not JSON`, { cause: error });
  }
}
