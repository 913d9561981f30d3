import { WORKFLOW_TYPES } from '@reenact/domain';
import type { Client } from '@temporalio/client';

/**
 * How many workflows of the namespace run that somebody waits for, which nobody does for the janitor.
 *
 * @throws the client's error where the server does not answer.
 */
export async function countOpenWorkflows(client: Client): Promise<number> {
  return (await client.workflow.count(`ExecutionStatus="Running" AND WorkflowType!="${WORKFLOW_TYPES.janitor}"`)).count;
}
