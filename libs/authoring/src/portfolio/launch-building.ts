import type { Candidate, Claim, Launch, LaunchStep, ScriptFile } from '@reenact/domain';
import { shortId, silentSecondsOf, watchedFiles } from '@reenact/domain';
import { Launch as LaunchSchema } from '@reenact/domain/schemas';

/** A launch with the domain's default limits; hang detection is on when any facet of the claim is a hang. */
export function buildLaunch(steps: LaunchStep[], env: Record<string, string>, claim: Pick<Claim, 'facets'>): Launch {
  const watchFiles = watchedFiles(claim.facets);
  return LaunchSchema.parse({
    schemaVersion: 1,
    steps,
    env,
    silentSeconds: silentSecondsOf(claim.facets),
    ...(watchFiles.length > 0 ? { watchFiles } : {}),
  });
}

/** A candidate whose id is the content id of its files and launch: equal scripts with equal commands are one candidate. */
export function buildCandidate(parts: {
  origin: Candidate['origin'];
  files: ScriptFile[];
  launch: Launch;
  source: string;
  repairs: string[];
}): Candidate {
  return { schemaVersion: 1, id: shortId({ files: parts.files, launch: parts.launch }), ...parts };
}

/** Keeps the first of equal candidates. */
export function withoutDuplicates(candidates: Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ id }) => !seen.has(id) && seen.add(id));
}
