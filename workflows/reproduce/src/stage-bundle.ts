import type { ArmPlan, PreparedEnvironment, PreparedSubject, ReplayRequest } from '@reenact/domain';
import { environments, subjects } from './policies.js';
import { armOf } from './prepare.js';

/** What a run of a stored bundle asks for. */
export type BundleRequest = Omit<ReplayRequest, 'kind'>;

/** The bundle's own subject, or the other form of it that was asked for. */
export function stageSubject(request: BundleRequest, treeHash: string, address: BundleRequest['subject']): Promise<PreparedSubject> {
  const given = request.subject !== null;
  return subjects.prepareSubject({
    runId: request.runId,
    address: request.subject ?? address ?? { type: 'folder', path: '' },
    treeHash: given ? request.treeHash : treeHash,
    reportDate: null,
  });
}

/** The environment of a bundle's lock, or another one that was asked for. */
export function stageEnvironment(request: BundleRequest, requirements: string[], treeHash: string): Promise<PreparedEnvironment> {
  return environments.buildEnvironment({
    runId: request.runId,
    python: request.python,
    requirements: request.requirements.length > 0 ? request.requirements : requirements,
    report: null,
    treeHash,
    role: 'candidate',
  });
}

/** Candidate and controls: the bundle's patch, and an interpreter in which the fault is absent. */
export async function stageArms(
  request: BundleRequest,
  subject: PreparedSubject,
  environment: PreparedEnvironment,
  patches: string[],
): Promise<ArmPlan[]> {
  const arms = [armOf('candidate', subject.treeHash, environment, 'the subject as stored')];
  for (const patch of patches.slice(0, 1)) {
    const fixed = await subjects.prepareFixed({
      runId: request.runId,
      subject,
      fixed: { type: 'patch', patch },
      treeHash: null,
      reportDate: null,
    });
    arms.push(armOf('fixed', fixed.treeHash, environment, fixed.label));
  }
  if (request.controlPython !== null) {
    const good = await environments.buildEnvironment({
      runId: request.runId,
      python: request.controlPython,
      requirements: [],
      report: null,
      treeHash: subject.treeHash,
      role: 'good',
    });
    arms.push(armOf('good', subject.treeHash, good, `other environment: ${good.summary}`));
  }
  return arms;
}
