import type { Claim, Facet, Report } from '@reenact/domain';
import { sha256Hex } from '@reenact/domain';

/** A report that holds its text and nothing that rules read from it: what specs of later stages start from. */
export function plainReport(text: string, parts: Partial<Report> = {}): Report {
  return {
    schemaVersion: 1,
    digest: sha256Hex(text),
    title: /^#?\s*(.*)/.exec(text)?.[1] ?? '',
    text,
    truncated: false,
    date: null,
    sentences: [],
    exceptions: [],
    errorLines: [],
    nativeFailures: [],
    warnings: [],
    codeBlocks: [],
    commands: [],
    packages: [],
    pythonVersions: [],
    operatingSystem: null,
    devices: [],
    worldSize: null,
    backend: null,
    numbers: [],
    frequency: null,
    seeds: [],
    links: [],
    files: [],
    symbols: [],
    missing: [],
    ...parts,
  };
}

/** A claim with the given facets and nothing else. */
export function plainClaim(facets: Facet[] = [], parts: Partial<Claim> = {}): Claim {
  return {
    schemaVersion: 1,
    title: 'a report',
    reportDigest: '',
    facets,
    triggers: [],
    frames: [],
    symbols: [],
    claimedRate: 1,
    worldSize: null,
    environment: { python: [], packages: [], goodPackages: [], devices: [] },
    missing: [],
    madeBy: 'rules',
    ...parts,
  };
}
