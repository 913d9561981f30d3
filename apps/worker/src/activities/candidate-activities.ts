import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { contentId } from '@reenact/domain';
import { Candidate, Claim, Launch, Report } from '@reenact/domain/schemas';
import type { CoreActivities, Facet, ProposedCandidate, RunRequest } from '@reenact/domain';
import { openTree, proposeFromProject, proposeFromReport, repairCandidate, summarizeEvidence } from '@reenact/authoring';
import { checkScript, parseOracleFile, readBundle } from '@reenact/verdict';
import type { Dependencies } from '../dependencies.js';
import { readTrialEvidence } from '../evidence.js';
import { getJson, getText, putJson } from '../json-artifacts.js';
import type { TreeCache } from '../tree-cache.js';

type CandidateActivities = Pick<CoreActivities, 'proposeDeterministic' | 'adoptScript' | 'repairCandidate' | 'checkCandidate' | 'checkBundle'>;

/** Seconds of silence after which a trial that may hang is looked at (verdict.md section 4: at least 20). */
const SILENT_SECONDS = 20;

/** Candidates that need no model, and the static checks that all candidates pass. */
export function createCandidateActivities(deps: Dependencies, trees: TreeCache): CandidateActivities {
  return {
    async proposeDeterministic({ report, claim, treeHash, limits }) {
      const treeDirectory = await trees.pathOf(treeHash);
      const input = {
        report: await getJson(deps.artifacts, report, Report),
        claim: await getJson(deps.artifacts, claim, Claim),
        treeDirectory,
        treeFiles: await listFiles(treeDirectory),
      };
      const candidates = [...proposeFromReport(input), ...proposeFromProject(input)];
      return { candidates: await Promise.all(candidates.map((candidate) => store(deps, withLimits(candidate, limits)))) };
    },

    async adoptScript({ script, claim, oracles, limits }) {
      const read = await getJson(deps.artifacts, claim, Claim);
      const facets = oracles === null ? read.facets : parseOracleFile(await getText(deps.artifacts, oracles));
      const text = await getText(deps.artifacts, script.text);
      const launch = Launch.parse({ schemaVersion: 1, steps: [{ argv: ['python', `@script/${script.name}`] }], silentSeconds: hasHang(facets) ? SILENT_SECONDS : null });
      const candidate: Candidate = {
        schemaVersion: 1,
        id: contentId({ text, launch }).slice(0, 12),
        origin: 'given',
        files: [{ path: script.name, text }],
        launch,
        source: script.name,
        repairs: [],
      };
      return { candidate: await store(deps, withLimits(candidate, limits)), claim: await putJson(deps.artifacts, { ...read, facets, madeBy: oracles === null ? read.madeBy : 'person' }) };
    },

    async repairCandidate({ candidate, evidence, treeHash }) {
      const treeDirectory = await trees.pathOf(treeHash);
      const summary = summarizeEvidence(await readTrialEvidence(deps.artifacts, { evidence }));
      const repaired = repairCandidate(await getJson(deps.artifacts, candidate, Candidate), summary, openTree(treeDirectory, await listFiles(treeDirectory)));
      return repaired === null ? null : store(deps, repaired);
    },

    async checkCandidate({ candidate, claim, treeHash }) {
      const read = await getJson(deps.artifacts, claim, Claim);
      const checked = await checkScript(deps.python, { candidate: await getJson(deps.artifacts, candidate, Candidate), claim: read, treeDirectory: await trees.pathOf(treeHash) });
      return { findings: await putJson(deps.artifacts, checked.findings), rejected: checked.syntaxError };
    },

    async checkBundle({ bundleTree, treeHash }) {
      const bundle = await readBundle(await trees.pathOf(bundleTree));
      const files = await scriptFiles(bundle.scriptDirectory);
      const candidate: Candidate = { schemaVersion: 1, id: bundle.manifest.id.slice(0, 12), origin: 'given', files, launch: bundle.launch, source: 'a stored bundle', repairs: [] };
      const checked = await checkScript(deps.python, { candidate, claim: { ...bundle.claim, facets: bundle.facets }, treeDirectory: await trees.pathOf(treeHash) });
      return { findings: await putJson(deps.artifacts, checked.findings), candidate: await putJson(deps.artifacts, candidate) };
    },
  };
}

function hasHang(facets: readonly Facet[]): boolean {
  return facets.some((facet) => facet.oracles.some((oracle) => oracle.kind === 'hang'));
}

function withLimits(candidate: Candidate, limits: RunRequest['limits']): Candidate {
  return { ...candidate, launch: { ...candidate.launch, limits: { ...candidate.launch.limits, ...limits } } };
}

async function store(deps: Dependencies, candidate: Candidate): Promise<ProposedCandidate> {
  const steps = candidate.launch.steps.map((step) => step.argv.join(' ')).join(' && ');
  return { candidate: await putJson(deps.artifacts, candidate), id: candidate.id, origin: candidate.origin, summary: `${candidate.origin}: ${steps}`.slice(0, 300) };
}

async function listFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name))).sort();
}

async function scriptFiles(directory: string): Promise<Candidate['files']> {
  const names = await listFiles(directory);
  return Promise.all(names.map(async (name) => ({ path: name, text: await readFile(path.join(directory, name), 'utf8') })));
}
