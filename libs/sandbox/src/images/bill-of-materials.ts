import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Distribution } from '@reenact/domain';
import type { DebianPackage } from './debian-packages.js';
import { LAYER_EPOCH_SECONDS } from './layer-entry.js';

/** Version of the product in images that it builds. */
export const PRODUCT_VERSION = '0.1.0';
/** When everything in an image is said to have been made. */
export const IMAGE_CREATED = new Date(LAYER_EPOCH_SECONDS * 1000).toISOString().replace('.000Z', 'Z');

export interface PythonPackage extends Distribution {
  /** SHA-256 of the list of its files (`RECORD`), which holds the hash of each; null where there is none. */
  recordSha256: string | null;
  /** SHA-256 of the archives that the lock allows. */
  lockedSha256: string[];
}

/** What an image holds. */
export interface Materials {
  name: string;
  debian: DebianPackage[];
  python: PythonPackage[];
  npm: Distribution[];
}

interface SpdxPackage {
  SPDXID: string;
  name: string;
  versionInfo: string;
  downloadLocation: 'NOASSERTION';
  filesAnalyzed: false;
  checksums?: { algorithm: 'SHA256'; checksumValue: string }[];
  comment?: string;
  externalRefs?: { referenceCategory: 'PACKAGE-MANAGER'; referenceType: 'purl'; referenceLocator: string }[];
}

/** The bill of materials of an image as SPDX 2.3 (spdx.github.io/spdx-spec/v2.3). Equal materials give equal bytes. */
export function billOfMaterials(materials: Materials): object {
  const packages = [
    ...materials.debian.map(debianPackage),
    ...materials.python.map(pythonPackage),
    ...materials.npm.map(({ name, version }) => packageOf(name, version, `pkg:npm/${name.replace('@', '%40')}@${version}`)),
    packageOf('reenact', PRODUCT_VERSION, null),
  ].sort((one, other) => (one.SPDXID < other.SPDXID ? -1 : Number(one.SPDXID > other.SPDXID)));
  const digest = createHash('sha256').update(JSON.stringify(packages)).digest('hex');
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: materials.name,
    documentNamespace: `https://reenact.dev/spdx/${digest}`,
    creationInfo: { created: IMAGE_CREATED, creators: [`Tool: reenact-${PRODUCT_VERSION}`] },
    packages,
    relationships: packages.map(({ SPDXID }) => ({
      spdxElementId: 'SPDXRef-DOCUMENT',
      relationshipType: 'DESCRIBES',
      relatedSpdxElement: SPDXID,
    })),
  };
}

function packageOf(name: string, version: string, purl: string | null): SpdxPackage {
  const kind = purl === null ? 'own' : (/^pkg:([a-z]+)\//.exec(purl)?.[1] ?? 'own');
  return {
    // Names that differ in other characters only would meet: the digest keeps them apart.
    SPDXID: `SPDXRef-${kind}-${name.replace(/[^A-Za-z0-9.-]/g, '-')}-${createHash('sha256').update(`${name} ${version}`).digest('hex').slice(0, 8)}`,
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    ...(purl === null
      ? {}
      : { externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER' as const, referenceType: 'purl' as const, referenceLocator: purl }] }),
  };
}

function debianPackage({ name, version, architecture }: DebianPackage): SpdxPackage {
  return packageOf(name, version, `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`);
}

function pythonPackage({ name, version, recordSha256, lockedSha256 }: PythonPackage): SpdxPackage {
  const [only, ...others] = lockedSha256;
  const words = [
    ...(recordSha256 === null ? [] : [`SHA-256 of its RECORD: ${recordSha256}`]),
    ...(others.length > 0 ? [`SHA-256 of the archives that the lock allows: ${lockedSha256.join(', ')}`] : []),
  ];
  return {
    ...packageOf(name, version, `pkg:pypi/${normalName(name)}@${encodeURIComponent(version)}`),
    ...(only !== undefined && others.length === 0 ? { checksums: [{ algorithm: 'SHA256' as const, checksumValue: only }] } : {}),
    ...(words.length > 0 ? { comment: words.join('; ') } : {}),
  };
}

/**
 * Distributions with what is known of their files: the record beside them, and the hashes of a lock.
 * @param lock requirements with hashes, as `uv pip compile --generate-hashes` writes them; '' = none.
 */
export async function pythonPackages(
  distributions: readonly Distribution[],
  sites: readonly string[],
  lock: string,
): Promise<PythonPackage[]> {
  const records = await recordsOf(sites);
  const locked = lockedHashes(lock);
  return distributions.map(({ name, version }) => ({
    name,
    version,
    recordSha256: records.get(`${normalName(name)} ${version}`) ?? null,
    lockedSha256: locked.get(normalName(name)) ?? [],
  }));
}

async function recordsOf(sites: readonly string[]): Promise<Map<string, string>> {
  const records = new Map<string, string>();
  for (const site of sites) {
    for (const folder of await readdir(site).catch(() => [])) {
      const match = /^([^/]{1,200})-([^-/]{1,100})\.dist-info$/.exec(folder);
      if (match === null) continue;
      const record = await readFile(join(site, folder, 'RECORD')).catch(() => null);
      const key = `${normalName(match[1] ?? '')} ${match[2] ?? ''}`;
      if (record !== null && !records.has(key)) records.set(key, createHash('sha256').update(record).digest('hex'));
    }
  }
  return records;
}

function lockedHashes(lock: string): Map<string, string[]> {
  const hashes = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of lock.split('\n')) {
    const name = /^([A-Za-z0-9][A-Za-z0-9._-]{0,200})(?:\[[^\]]{0,200}\])?==/.exec(line)?.[1];
    if (name !== undefined) hashes.set(normalName(name), (current = []));
    for (const [, digest = ''] of line.matchAll(/--hash=sha256:([0-9a-f]{64})/g)) current.push(digest);
  }
  return hashes;
}

/** A name as indexes compare it (PEP 503). */
function normalName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}
