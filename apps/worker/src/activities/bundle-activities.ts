import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isAppError, sha256Hex } from '@reenact/domain';
import { Candidate, Claim, Environment, Subject } from '@reenact/domain/schemas';
import type { ArmPlan, BundledControl, ContentRef, Control, CoreActivities, EvidenceOf, FrozenBundle, Trial } from '@reenact/domain';
import { removeTrigger } from '@reenact/authoring';
import {
  buildTripwire,
  diffTrees,
  freezeBundle,
  readBundle,
  replaceFunctions,
  suspectsFromClaim,
  suspectsFromCoverage,
  suspectsFromPatch,
} from '@reenact/verdict';
import type { Bundle, Suspect } from '@reenact/verdict';
import type { Dependencies } from '../dependencies.js';
import { readTrialEvidence } from '../evidence.js';
import { getJson, getText, putJson } from '../json-artifacts.js';
import { inCopy, patchedTree } from './subject-activities.js';

type BundleActivities = Pick<CoreActivities, 'freezeBundle' | 'prepareSabotage' | 'prepareTripwire' | 'openBundle'>;
type FreezeInput = Parameters<CoreActivities['freezeBundle']>[0];
type TripwireInput = Parameters<CoreActivities['prepareTripwire']>[0];

/** Frozen bundles and the trees of their counter-checks. */
export function createBundleActivities(deps: Dependencies): BundleActivities {
  return {
    freezeBundle: (input) => freeze(deps, input),
    prepareSabotage: (input) => prepareSabotage(deps, input),
    prepareTripwire: (input) => prepareTripwire(deps, input),
    async openBundle({ bundleTree }) {
      const bundle = await readBundle(await deps.trees.pathOf(bundleTree));
      const patches = bundle.controls.filter((control) => control.kind === 'patch');
      return {
        bundleId: bundle.manifest.id,
        treeHash: bundle.subject.treeHash,
        address: bundle.subject.address.type === 'snapshot' ? null : bundle.subject.address,
        requirements: requirementsOf(bundle.lock),
        expectedRate: bundle.expectedRate,
        measured: bundle.measured,
        claim: await putJson(deps.artifacts, bundle.claim),
        patches: await Promise.all(patches.map((control) => deps.artifacts.putBytes(Buffer.from(control.patch)))),
      };
    },
  };
}

async function freeze(deps: Dependencies, input: FreezeInput): Promise<FrozenBundle> {
  const candidate = await getJson(deps.artifacts, input.candidate, Candidate);
  const claim = await getJson(deps.artifacts, input.claim, Claim);
  const subject = await getJson(deps.artifacts, input.subject, Subject);
  const environment = await getJson(deps.artifacts, input.environment, Environment);
  const patch = input.patch === null ? null : await getText(deps.artifacts, input.patch);
  const suspects = await findSuspects(deps, subject, claim, patch);
  await mkdir(deps.workDirectory, { recursive: true });
  const scratch = await mkdtemp(path.join(deps.workDirectory, 'bundle-'));
  try {
    const directory = path.join(scratch, 'bundle');
    const controls = [...(await controlsOf(deps, input.arms, patch)), ...(await ownControls(deps, { candidate, claim }, input.sabotage))];
    const measured = input.measured ?? null;
    const parts = { candidate, subject, environment, claim, facets: claim.facets, controls, suspects, measured };
    const manifest = await freezeBundle(directory, parts);
    const bundleTree = await deps.artifacts.putTree(directory);
    return { bundleId: manifest.id, bundleTree, controls: await bundledControls(deps, controls, subject.treeHash) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function controlsOf(deps: Dependencies, arms: ArmPlan[], patch: string | null): Promise<Control[]> {
  const controls: Control[] = patch === null ? [] : [{ kind: 'patch', patch }];
  for (const arm of arms.filter((one) => one.arm === 'good')) {
    const { distributions } = await getJson(deps.artifacts, arm.environment, Environment);
    controls.push({ kind: 'environment', label: arm.label, distributions });
  }
  return controls;
}

/** Controls that are made of the candidate itself: without its trigger, or with proposed functions. */
async function ownControls(
  deps: Dependencies,
  { candidate, claim }: { candidate: Candidate; claim: Claim },
  sabotage: ContentRef | undefined,
): Promise<Control[]> {
  const trigger = removeTrigger(candidate, claim);
  const proposed: Control[] =
    sabotage === undefined
      ? []
      : [{ kind: 'sabotage', label: 'the suspected code replaced', patch: await getText(deps.artifacts, sabotage) }];
  return [...(trigger === null ? [] : [trigger]), ...proposed];
}

/** The arms of a bundle's own controls on a subject; a patch that does not fit another version of it gives none. */
export async function bundledControls(deps: Dependencies, controls: readonly Control[], treeHash: string): Promise<BundledControl[]> {
  const bundled: BundledControl[] = [];
  for (const control of controls) {
    if (control.kind === 'trigger') bundled.push({ arm: 'trigger', label: control.label, treeHash: null });
    if (control.kind !== 'sabotage') continue;
    const changed = await patchedTree(deps, treeHash, control.patch).catch(unlessUnfit);
    if (changed !== null) bundled.push({ arm: 'sabotage', label: control.label, treeHash: changed });
  }
  return bundled;
}

/** Null where a patch does not fit; every other error goes on. */
function unlessUnfit(error: unknown): null {
  if (isAppError(error) && error.code === 'patch-does-not-apply') return null;
  throw error;
}

async function prepareSabotage(
  deps: Dependencies,
  { bundleTree, treeHash, coverage, functions }: Parameters<CoreActivities['prepareSabotage']>[0],
): ReturnType<CoreActivities['prepareSabotage']> {
  const bundle = await readBundle(await deps.trees.pathOf(bundleTree));
  const suspects = await suspectsOf(deps, bundle, { treeHash, coverage });
  const proposed = await getJson(
    deps.artifacts,
    functions,
    z.array(z.object({ file: z.string(), function: z.string(), text: z.string() })),
  );
  try {
    const difference = await inCopy(deps, treeHash, async (directory) => {
      await replaceFunctions(deps.python, directory, { suspects, functions: proposed });
      return diffTrees(await deps.trees.pathOf(treeHash), directory);
    });
    return { patch: await deps.artifacts.putBytes(Buffer.from(difference)), reason: '' };
  } catch (error) {
    if (isAppError(error) && error.code === 'patch-does-not-apply') return { patch: null, reason: error.message };
    throw error;
  }
}

/** What a fix changes is the best suspect; then what the report points at; else a coverage trial has to tell. */
async function findSuspects(deps: Dependencies, subject: Subject, claim: Claim, patch: string | null): Promise<Suspect[]> {
  const changed = patch === null ? [] : await suspectsFromPatch(deps.python, await deps.trees.pathOf(subject.treeHash), patch);
  if (changed.length > 0) return changed;
  return suspectsFromClaim(claim.frames, claim.symbols, (await deps.listSubject(subject.treeHash, subject.importRoots)).outlines);
}

async function prepareTripwire(
  deps: Dependencies,
  input: TripwireInput,
): Promise<{ arm: ArmPlan | null; needsCoverage: boolean; note: string }> {
  const candidate = input.arms.find((arm) => arm.arm === 'candidate');
  if (candidate === undefined) return { arm: null, needsCoverage: false, note: 'there is no candidate arm' };
  const bundle = await readBundle(await deps.trees.pathOf(input.bundleTree));
  if (bundle.suspects.length === 0 && input.coverage === null) return { arm: null, needsCoverage: true, note: 'no suspect is known yet' };
  const suspects = await suspectsOf(deps, bundle, { treeHash: candidate.treeHash, coverage: input.coverage });
  if (suspects.length === 0) return { arm: null, needsCoverage: false, note: 'no function of the subject ran' };
  // Fresh for every series, and nothing that a script could know: the installation's secret goes in.
  const sentinel = sha256Hex(`${deps.secret}/${input.series}/${candidate.treeHash}/${JSON.stringify(suspects)}`).slice(0, 24);
  const built = await inCopy(deps, candidate.treeHash, async (directory) => {
    const { wired, unwired } = await buildTripwire(deps.python, directory, suspects, sentinel);
    return { wired, unwired, treeHash: wired.length === 0 ? null : await deps.artifacts.putTree(directory) };
  });
  if (built.treeHash === null)
    return { arm: null, needsCoverage: false, note: `no suspect could be wired: ${built.unwired.map(({ reason }) => reason).join('; ')}` };
  const names = built.wired.map((suspect) => `${suspect.file}:${suspect.function}`);
  return {
    arm: {
      ...candidate,
      arm: 'tripwire',
      treeHash: built.treeHash,
      label: `tripwire in ${names.slice(0, 4).join(', ')}${names.length > 4 ? ' …' : ''}`,
      sentinel,
    },
    needsCoverage: false,
    note: `wired ${names.length} function(s)`,
  };
}

/** The functions that a bundle names, or else those that ran in a coverage trial. */
export async function suspectsOf(
  deps: Dependencies,
  bundle: Bundle,
  { treeHash, coverage }: { treeHash: string; coverage: Trial | null },
): Promise<Suspect[]> {
  if (bundle.suspects.length > 0 || coverage === null) return bundle.suspects;
  const records = await readTrialEvidence(deps.artifacts, coverage);
  const ran = records.filter((record): record is EvidenceOf<'coverage'> => record.kind === 'coverage');
  return suspectsFromCoverage(ran, (await deps.listSubject(treeHash, bundle.subject.importRoots)).outlines);
}

/** Requirement names and versions of a lock, without hashes and comments. */
function requirementsOf(lock: string): string[] {
  return lock
    .split('\n')
    .map((line) => /^([A-Za-z0-9][A-Za-z0-9._-]*==[^\s;\\]+)/.exec(line)?.[1])
    .filter((line) => line !== undefined);
}
