import { WorkflowNotFoundError, isGrpcServiceError } from '@temporalio/client';
import type { Client } from '@temporalio/client';

/** INVALID_ARGUMENT (grpc.github.io status codes): an id that is none. */
const INVALID_ARGUMENT = 3;

/**
 * Whether a run of a workflow still goes on; `unknown` where this server has no such run, be it forgotten or another server's.
 *
 * @throws the client's error where the server does not answer.
 */
export async function runStateOf(client: Client, workflowId: string, runId: string): Promise<'open' | 'closed' | 'unknown'> {
  try {
    const { status } = await client.workflow.getHandle(workflowId, runId).describe();
    if (status.name === 'RUNNING') return 'open';
    return status.name === 'UNSPECIFIED' || status.name === 'UNKNOWN' ? 'unknown' : 'closed';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    if (isGrpcServiceError(cause) && cause.code === INVALID_ARGUMENT) return 'unknown';
    throw error;
  }
}
