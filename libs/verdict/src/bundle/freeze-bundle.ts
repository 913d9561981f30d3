import { createHash } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canonicalJson } from '@reenact/domain';
import type {
  BundleManifest,
  BundleSubject,
  Candidate,
  Claim,
  Control,
  Environment,
  Facet,
  Launch,
  MeasuredRate,
  Subject,
} from '@reenact/domain';
import { BundleEnvironment } from '@reenact/domain/schemas';
import type { Suspect } from '../controls/suspects.js';
import { runScript } from './run-script.js';
import { assertSafePath } from './tar.js';

export interface BundleParts {
  candidate: Candidate;
  subject: Subject;
  environment: Environment;
  claim: Claim;
  /** The facets to judge with their oracles, as frozen for this candidate. */
  facets: readonly Facet[];
  controls: readonly Control[];
  suspects: readonly Suspect[];
  /** What an earlier series of the same fault saw: written beside the bundle's id as well. */
  measured?: MeasuredRate | null;
  /** Prompt hashes, models, costs: written beside the bundle's id, not into it. */
  provenance?: Record<string, unknown>;
}

/** Files that lie beside the id. */
export const BESIDE_THE_ID: ReadonlySet<string> = new Set(['bundle.json', 'measured.json', 'provenance.json']);

/**
 * Writes the bundle of a candidate (verdict.md section 2) into an empty or absent directory. Equal parts give equal
 * bytes and an equal id: no absolute path of the subject or the interpreter, no secret and no clock time is in it.
 * @returns the manifest, also written as `bundle.json`
 * @throws AppError `bundle-invalid` for a script path that is unsafe
 */
export async function freezeBundle(directory: string, parts: BundleParts): Promise<BundleManifest> {
  const files = bundleFiles(parts);
  const manifest = manifestOf(files);
  for (const [path, text] of files) {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    if (path === 'run.sh') await chmod(target, 0o755);
  }
  await mkdir(join(directory, 'script'), { recursive: true });
  await writeFile(join(directory, 'bundle.json'), sortedJson(manifest));
  const { id: candidateId, origin, source, repairs } = parts.candidate;
  await writeFile(
    join(directory, 'provenance.json'),
    sortedJson({ candidate: { id: candidateId, origin, source, repairs }, ...parts.provenance }),
  );
  if (parts.measured) await writeFile(join(directory, 'measured.json'), sortedJson(parts.measured));
  return manifest;
}

/** Texts of the files that make the id, by path. */
export function bundleFiles(parts: BundleParts): Map<string, string> {
  const { candidate, subject, environment, claim } = parts;
  const launch = withoutSecrets(candidate.launch);
  const described = BundleEnvironment.parse(environment);
  const files = new Map<string, string>([
    ['claim.json', sortedJson(claim)],
    ['controls.json', sortedJson({ schemaVersion: 1, controls: parts.controls, suspects: parts.suspects })],
    ['environment.json', sortedJson(described)],
    ['environment.lock', lockText(environment)],
    ['launch.json', sortedJson(launch)],
    ['oracles.json', sortedJson({ schemaVersion: 1, facets: parts.facets, claimedRate: claim.claimedRate })],
    ['run.sh', runScript(launch, subject.importRoots)],
    ['subject.json', sortedJson(bundleSubject(subject))],
  ]);
  for (const file of candidate.files) {
    assertSafePath(file.path);
    files.set(`script/${file.path}`, file.text);
  }
  return files;
}

function bundleSubject(subject: Subject): BundleSubject {
  const { address, treeHash, revision, importRoots } = subject;
  return { schemaVersion: 1, address: address.type === 'folder' ? { type: 'snapshot' } : address, treeHash, revision, importRoots };
}

/** The id is the SHA-256 over `hash, two blanks, path, line feed` for every file, sorted by path. */
export function manifestOf(files: ReadonlyMap<string, string | Uint8Array>): BundleManifest {
  const entries = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, content]) => ({ path, sha256: createHash('sha256').update(content).digest('hex'), bytes: Buffer.byteLength(content) }));
  const id = createHash('sha256')
    .update(entries.map((entry) => `${entry.sha256}  ${entry.path}\n`).join(''))
    .digest('hex');
  return { schemaVersion: 1, id, files: entries };
}

/** A report's command may carry its author's keys: such variables stay, their values go. */
function withoutSecrets(launch: Launch): Launch {
  const isSecret = (name: string): boolean => /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS)$/i.test(name);
  const env = Object.fromEntries(Object.entries(launch.env).map(([name, value]) => [name, isSecret(name) ? 'redacted' : value]));
  return { ...launch, env };
}

/** Requirement lines for pip, with what they were made for as comments. Local paths of an installation are left out. */
function lockText(environment: Environment): string {
  const lines = environment.lock
    .split(/\r?\n/)
    .map((line) =>
      line
        .replace(/^([A-Za-z0-9_.-]+)\s*@\s*file:.*$/, '# $1: installed from a local folder')
        .replace(/^-e\s.*$/, '# a local folder, installed editable'),
    )
    .join('\n')
    .trim();
  const header = [`# python ${environment.pythonVersion} (${environment.implementation}, ${environment.platform})`];
  if (environment.cutOffDate !== null) header.push(`# distributions uploaded until ${environment.cutOffDate}`);
  return `${[...header, lines].join('\n').trim()}\n`;
}

/** Readable JSON with sorted keys. */
export function sortedJson(value: unknown): string {
  return `${JSON.stringify(JSON.parse(canonicalJson(value)), null, 2)}\n`;
}
