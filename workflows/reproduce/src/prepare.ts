import { isCancellation } from '@temporalio/workflow';
import type { ArmPlan, ContentRef, PreparedClaim, PreparedEnvironment, PreparedSubject, RunRequest, Usage } from '@reenact/domain';
import { core, environments, models, subjects } from './policies.js';
import type { Story } from './story.js';

/** Everything that stands before the first candidate. */
export interface Prepared {
  report: ContentRef;
  claim: PreparedClaim;
  subject: PreparedSubject;
  environment: PreparedEnvironment;
  arms: ArmPlan[];
  /** What the fixed tree changes. */
  patch: ContentRef | null;
  usage: Usage;
}

/** Intake → claim → subject → environment → arms, each a durable activity. */
export async function prepareRun(request: RunRequest, story: Story): Promise<Prepared> {
  await story.tell('intake', 'reading the report');
  const read = await core.readReport({ runId: request.runId, report: request.report });
  await story.tell('subject', `“${read.title}”; taking a snapshot of the subject`);
  const subject = await subjects.prepareSubject({
    runId: request.runId,
    address: request.subject,
    treeHash: request.treeHash,
    reportDate: read.date,
  });
  await story.tell('claim', subject.summary);
  const claim = await models.restructureReport({
    runId: request.runId,
    model: request.model,
    report: read.report,
    treeHash: subject.treeHash,
  });
  await story.tell('environment', `${claim.liveFacets} live facet(s), ${claim.decidableFacets} decidable`);
  const environment = await environments.buildEnvironment({
    runId: request.runId,
    python: request.python,
    requirements: request.requirements,
    report: read.report,
    treeHash: subject.treeHash,
    role: 'candidate',
  });
  await story.tell('environment', environment.summary);
  const { arms, patch } = await prepareArms(request, { report: read.report, date: read.date, subject, environment }, story);
  return { report: read.report, claim, subject, environment, arms, patch, usage: claim.usage };
}

interface ArmSources {
  report: ContentRef;
  date: string | null;
  subject: PreparedSubject;
  environment: PreparedEnvironment;
}

async function prepareArms(request: RunRequest, sources: ArmSources, story: Story): Promise<{ arms: ArmPlan[]; patch: ContentRef | null }> {
  let patch: ContentRef | null = null;
  const arms: ArmPlan[] = [armOf('candidate', sources.subject.treeHash, sources.environment, 'the subject as reported')];
  if (request.fixed !== null) {
    const fixed = await subjects.prepareFixed({
      runId: request.runId,
      subject: sources.subject,
      fixed: request.fixed,
      treeHash: request.fixedTreeHash,
      reportDate: sources.date,
    });
    patch = fixed.patch;
    arms.push(armOf('fixed', fixed.treeHash, sources.environment, fixed.label));
  }
  const good = await prepareGood(request, sources, story);
  if (good !== null && good.id === sources.environment.id)
    await story.tell('environment', 'no second control: the other environment is the same as that of the candidate');
  else if (good !== null) arms.push(armOf('good', sources.subject.treeHash, good, `other environment: ${good.summary}`));
  return { arms, patch };
}

/** A good version that cannot be installed here is told and left out; an interpreter that was named must exist. */
async function prepareGood(request: RunRequest, sources: ArmSources, story: Story): Promise<PreparedEnvironment | null> {
  if (request.controlPython === null && request.goodRequirements.length === 0) return null;
  try {
    return await environments.buildEnvironment({
      runId: request.runId,
      python: request.controlPython ?? request.python,
      requirements: request.goodRequirements,
      report: null,
      treeHash: sources.subject.treeHash,
      role: 'good',
    });
  } catch (error) {
    if (isCancellation(error) || request.controlPython !== null) throw error;
    await story.tell('environment', `no second control: ${request.goodRequirements.join(' ')} does not install here`);
    return null;
  }
}

export function armOf(arm: ArmPlan['arm'], treeHash: string, environment: PreparedEnvironment, label: string): ArmPlan {
  return { arm, treeHash, environment: environment.environment, environmentId: environment.id, label, sentinel: null };
}
