import type { ScriptKind, Truth } from './case-folder.js';

export type ProjectForm = 'buggy' | 'patched';
export type Expected = 'shown' | 'notShown';

/**
 * Whether the project as shipped is buggy in an environment. Listed environments name a torch version; the nearest one
 * decides, so that a version between two listed ones falls on the side that it is closer to. Where none names a version,
 * the first entry holds for every environment.
 *
 * @param torchVersion version of torch there, or null.
 */
export function formIn(truth: Truth, torchVersion: string | null): 'buggy' | 'fixed' {
  const listed = Object.entries(truth.versions.expected).map(([name, form]) => ({
    version: /torch\s+(\d[\d.]*)/.exec(name)?.[1] ?? null,
    form,
  }));
  const first = listed[0]?.form ?? 'buggy';
  if (torchVersion === null) return first;
  const mine = ordinal(torchVersion);
  let nearest: { distance: number; form: 'buggy' | 'fixed' } | null = null;
  for (const { version, form } of listed) {
    if (version === null) continue;
    const distance = Math.abs(ordinal(version) - mine);
    if (nearest === null || distance < nearest.distance) nearest = { distance, form };
  }
  return nearest?.form ?? first;
}

/** What a judge must say of a script: only an honest one, on a project that has the fault, shows it. */
export function expected(kind: ScriptKind, project: ProjectForm, form: 'buggy' | 'fixed'): Expected {
  const faulty = project === 'buggy' && form === 'buggy';
  return faulty && (kind === 'reference' || kind === 'honest') ? 'shown' : 'notShown';
}

/** A version as one number, good enough to tell which of a few is nearest: 2.6.0 → 2 006 000. */
function ordinal(version: string): number {
  const [major = 0, minor = 0, patch = 0] =
    version
      .split(/[^0-9.]/)[0]
      ?.split('.')
      .map(Number) ?? [];
  return major * 1_000_000 + minor * 1_000 + patch;
}
