import type { Configuration } from '@reenact/domain';
import { findTemporalServer } from '@reenact/temporal/server';
import type { TemporalServer } from '@reenact/temporal/server';

/** Page of a workflow in the Temporal UI; null where no UI is known. */
export function workflowPage(server: Pick<TemporalServer, 'uiUrl' | 'namespace'>, workflowId: string): string | null {
  return server.uiUrl === null
    ? null
    : `${server.uiUrl}/namespaces/${encodeURIComponent(server.namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}

/** The same for a command that starts nothing: null where no server of ours runs. */
export async function knownPage({ stateDirectory, temporal }: Configuration, workflowId: string): Promise<string | null> {
  if (temporal.address !== null) return null;
  const server = await findTemporalServer({ stateDirectory, namespace: temporal.namespace }).catch(() => null);
  return server === null ? null : workflowPage(server, workflowId);
}
