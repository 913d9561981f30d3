import { contentId } from '@reenact/domain';
import { Finding } from '@reenact/domain/schemas';
import { z } from 'zod';
import type { ArmPlan, CoreActivities, EvidenceRecord, Trial } from '@reenact/domain';
import {
  confirmFindings,
  diagnosisTrials,
  explain,
  isControlArm,
  judgeWithLevers,
  lacksControl,
  leversOf,
  planWithLevers,
  readBundle,
} from '@reenact/verdict';
import type { Bundle, ControlArm, DiagnosticTrial, JudgedTrial, Judgement } from '@reenact/verdict';
import type { Dependencies } from '../dependencies.js';
import { readTrialEvidence } from '../evidence.js';
import { bundledCandidate } from '../bundled-candidate.js';
import { getJson, putJson } from '../json-artifacts.js';
import { judgeOne } from '../judge-one.js';

/** The judge: code over recorded evidence, never a model. */
export function createJudgeActivities(deps: Dependencies): Pick<CoreActivities, 'judgeTrials'> {
  return {
    async judgeTrials(input) {
      const bundle = await readBundle(await deps.trees.pathOf(input.bundleTree));
      const evidence = await Promise.all(
        input.trials.map(async (trial) => ({ trial, records: await readTrialEvidence(deps.artifacts, trial) })),
      );
      const judged = evidence.filter(({ trial }) => !isCloserLook(trial)).map(({ trial, records }) => judgeOne(bundle, trial, records));
      const controls = input.arms
        .filter((arm): arm is ArmPlan & { arm: ControlArm } => isControlArm(arm.arm))
        .map(({ arm, label }) => ({ arm, label }));
      const tripwireArm = input.arms.find((arm) => arm.arm === 'tripwire');
      const levers = leversOf(bundle.launch, bundle.facets);
      const plan = planWithLevers({
        levers,
        facets: bundle.facets,
        notLive: [],
        expectedRate: bundle.expectedRate,
        controlArms: controls.map((control) => control.arm),
        // Until it was tried, a tripwire is taken for possible; the workflow builds it when the planner asks for one.
        tripwire: tripwireArm !== undefined || input.tripwireNote === null,
        candidatesVerified: input.candidatesVerified,
        finished: judged,
      });
      const suspicions = input.findings === null ? [] : await getJson(deps.artifacts, input.findings, z.array(Finding));
      const judgement = judgeWithLevers({
        levers,
        facets: bundle.facets,
        notLive: [],
        expectedRate: bundle.expectedRate,
        scope: input.scope,
        trials: judged,
        controls,
        tripwire: { built: tripwireArm !== undefined, note: tripwireArm?.label ?? input.tripwireNote ?? 'not needed' },
        candidatesVerified: input.candidatesVerified,
        findings: await confirm(deps, bundle, suspicions, { evidence, judged }),
        environmentDistance: bundle.environment.distance,
        data: null,
        ranksAsked: bundle.claim.worldSize,
      });
      const explanations = explain(bundle.facets, diagnosesOf(evidence));
      const diagnosis = plan.done
        ? diagnosisTrials({ facets: bundle.facets, results: judgement.facets, hasAccelerator: speaksOfGpu(bundle), trials: evidence })
        : [];
      return {
        done: plan.done,
        next: plan.trials,
        ...(diagnosis.length === 0 ? {} : { diagnosis }),
        judgement: await putJson(deps.artifacts, explanations.length === 0 ? judgement : { ...judgement, explanations }),
        state: judgement.verdict,
        sentence: judgement.sentence,
        signature: signatureOf(judgement, judged),
        wantsControl: plan.done && lacksControl(judgement),
      };
    },
  };
}

/** Trials that are slowed by what is recorded of them, and never judged. */
function isCloserLook({ arm }: Trial): boolean {
  return arm === 'coverage' || arm === 'diagnosis';
}

function speaksOfGpu({ claim }: Bundle): boolean {
  return claim.environment.devices.some((device) => /cuda|gpu|nvidia/i.test(device));
}

function diagnosesOf(evidence: readonly { trial: Trial; records: EvidenceRecord[] }[]): DiagnosticTrial[] {
  return evidence
    .filter(({ trial }) => trial.arm === 'diagnosis')
    .map(({ trial, records }) => ({ trial: trial.id, index: trial.index, records }));
}

async function confirm(
  deps: Dependencies,
  bundle: Bundle,
  suspicions: Finding[],
  seen: { evidence: { trial: Trial; records: EvidenceRecord[] }[]; judged: JudgedTrial[] },
): Promise<Finding[]> {
  const trials = seen.judged.map((judged) => ({
    judged,
    records: seen.evidence.find(({ trial }) => trial.id === judged.trial)?.records ?? [],
  }));
  const subject = await deps.listSubject(bundle.subject.treeHash, bundle.subject.importRoots);
  return confirmFindings(deps.python, await bundledCandidate(bundle), suspicions, {
    trials,
    facets: bundle.facets,
    suspects: bundle.suspects,
    subject,
  });
}

/** Equal for attempts that failed in the same way: state, failure and what was observed. */
function signatureOf(judgement: Judgement, judged: JudgedTrial[]): string {
  const first = judged.find((trial) => trial.arm === 'candidate');
  return contentId([
    judgement.verdict,
    first?.facts?.failure?.signature ?? null,
    first?.facts?.exitCodes ?? [],
    first?.facets.map((facet) => facet.note ?? facet.state) ?? [],
  ]).slice(0, 16);
}
