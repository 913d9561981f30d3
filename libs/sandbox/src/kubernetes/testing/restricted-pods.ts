import type { PodSpec } from '../manifest.js';

/**
 * What the `restricted` profile of Pod Security has against a pod, as far as our own manifests could fall short of it (Kubernetes
 * documentation, "Pod Security Standards"). The API server of a real cluster has the last word.
 */
export function restrictedProblems(pod: PodSpec): string[] {
  const loose = pod as unknown as Record<string, unknown>;
  const problems = ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers', 'ephemeralContainers', 'hostUsers']
    .filter((field) => field in loose)
    .map((field) => `it has ${field}`);
  const { securityContext } = pod;
  if (!securityContext.runAsNonRoot || securityContext.runAsUser === 0) problems.push('it may run as root');
  if (!['RuntimeDefault', 'Localhost'].includes(securityContext.seccompProfile.type)) problems.push('its system calls are not filtered');
  for (const container of pod.containers) {
    const own = container.securityContext;
    if (own.allowPrivilegeEscalation || own.privileged) problems.push(`${container.name} may gain privileges`);
    if (own.capabilities.drop[0] !== 'ALL' || 'add' in own.capabilities) problems.push(`${container.name} keeps capabilities`);
    if ('ports' in container) problems.push(`${container.name} has ports`);
  }
  const kinds = new Set(['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'persistentVolumeClaim', 'projected', 'secret']);
  for (const volume of pod.volumes)
    if (!Object.keys(volume).every((field) => field === 'name' || kinds.has(field)))
      problems.push(`volume ${volume.name} is of a kind that is not allowed`);
  return problems;
}
