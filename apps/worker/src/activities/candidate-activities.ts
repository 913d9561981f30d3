import { contentId, silentSecondsOf, watchedFiles } from '@reenact/domain';
import { Candidate, Claim, Launch as LaunchSchema, Subject } from '@reenact/domain/schemas';
import type { CoreActivities, Facet, Launch } from '@reenact/domain';
import { checkScript, parseOracleFile, readBundle } from '@reenact/verdict';
import { composeAuthoring, limitedCandidate } from '../authoring.js';
import type { Dependencies } from '../dependencies.js';
import { bundledCandidate } from '../bundled-candidate.js';
import { getJson, getText, putJson } from '../json-artifacts.js';
import { bundledControls } from './bundle-activities.js';

type CandidateActivities = Pick<
  CoreActivities,
  'proposeDeterministic' | 'adoptScript' | 'repairCandidate' | 'checkCandidate' | 'checkBundle'
>;

/** Candidates that need no model, and the static checks that all candidates pass. */
export function createCandidateActivities(deps: Dependencies): CandidateActivities {
  return {
    async proposeDeterministic({ report, claim, treeHash, limits }) {
      const proposed = await composeAuthoring(deps).proposeDeterministic({ report, claim, treeHash, pytestAvailable: false });
      return { candidates: await Promise.all(proposed.candidates.map(({ ref }) => limitedCandidate(deps, ref, limits))) };
    },

    adoptScript: (input) => adoptScript(deps, input),

    async repairCandidate(input) {
      const repaired = await composeAuthoring(deps).repairAttempt(input);
      return repaired.candidate === null ? null : limitedCandidate(deps, repaired.candidate.ref, {});
    },

    async checkCandidate({ candidate, claim, subject }) {
      const frozen = await getJson(deps.artifacts, subject, Subject);
      const read = await getJson(deps.artifacts, candidate, Candidate);
      const rejected = await syntaxError(deps, read);
      if (rejected !== null) return { findings: await putJson(deps.artifacts, []), rejected };
      const listing = await deps.listSubject(frozen.treeHash, frozen.importRoots);
      const findings = checkScript(deps.python, read, listing, await getJson(deps.artifacts, claim, Claim));
      return { findings: await putJson(deps.artifacts, findings), rejected: null };
    },

    async checkBundle({ bundleTree, treeHash }) {
      const bundle = await readBundle(await deps.trees.pathOf(bundleTree));
      const candidate = await bundledCandidate(bundle);
      const listing = await deps.listSubject(treeHash, bundle.subject.importRoots);
      const findings = checkScript(deps.python, candidate, listing, { ...bundle.claim, facets: bundle.facets });
      return {
        findings: await putJson(deps.artifacts, findings),
        candidate: await putJson(deps.artifacts, candidate),
        controls: await bundledControls(deps, bundle.controls, treeHash),
      };
    },
  };
}

/** A script from outside as a candidate; its facets are those of the oracle file, or the claim's own. */
async function adoptScript(
  deps: Dependencies,
  { script, claim, oracles, limits }: Parameters<CoreActivities['adoptScript']>[0],
): ReturnType<CoreActivities['adoptScript']> {
  const read = await getJson(deps.artifacts, claim, Claim);
  const facets = oracles === null ? read.facets : parseOracleFile(await getText(deps.artifacts, oracles));
  const text = await getText(deps.artifacts, script.text);
  const launch = LaunchSchema.parse({
    schemaVersion: 1,
    steps: [{ argv: ['python', `@script/${script.name}`] }],
    silentSeconds: silentSecondsOf(facets),
    ...watchOf(facets),
  });
  const candidate: Candidate = {
    schemaVersion: 1,
    id: contentId({ text, launch }).slice(0, 12),
    origin: 'given',
    files: [{ path: script.name, text }],
    launch,
    source: script.name,
    repairs: [],
  };
  return {
    candidate: await limitedCandidate(deps, await putJson(deps.artifacts, candidate), limits),
    claim: await putJson(deps.artifacts, { ...read, facets, madeBy: oracles === null ? read.madeBy : 'person' }),
  };
}

/** A script that does not parse is not worth a run; the place is named so that a repair can be made. */
async function syntaxError(deps: Dependencies, candidate: Candidate): Promise<string | null> {
  for (const file of candidate.files.filter(({ path: name }) => name.endsWith('.py'))) {
    const tree = deps.python.parse(file.text);
    try {
      const node = tree.rootNode.descendantsOfType('ERROR')[0];
      if (node != null) return `${file.path} does not parse at line ${node.startPosition.row + 1}`;
    } finally {
      tree.delete();
    }
  }
  return null;
}

/** Absent where no oracle reads a file. */
function watchOf(facets: readonly Facet[]): Pick<Launch, 'watchFiles'> {
  const watchFiles = watchedFiles(facets);
  return watchFiles.length > 0 ? { watchFiles } : {};
}
