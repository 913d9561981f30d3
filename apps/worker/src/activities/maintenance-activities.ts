import { Context } from '@temporalio/activity';
import type { MaintenanceActivities } from '@reenact/domain';
import { runStateOf } from '@reenact/temporal/client';
import { withHeartbeat } from '@reenact/temporal/worker';
import type { Dependencies } from '../dependencies.js';

/** Keeps the cluster clean of executions whose workflow will not come back for them. */
export function createMaintenanceActivities({ sweep }: Pick<Dependencies, 'sweep'>): MaintenanceActivities {
  return {
    async sweepExecutions() {
      if (sweep === null) return { removed: 0, kept: 0, findings: [] };
      const { client } = Context.current();
      return withHeartbeat(({ signal }) =>
        sweep({ fateOf: ({ workflowId, runToken }) => runStateOf(client, workflowId, runToken), signal }),
      );
    },
  };
}
