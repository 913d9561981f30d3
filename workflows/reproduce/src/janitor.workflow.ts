import type { SweepReport } from '@reenact/domain';
import { maintenance } from './policies.js';

/** One sweep through the cluster; a schedule starts it. Its result stands in the Temporal UI. */
export async function janitorWorkflow(): Promise<SweepReport> {
  return maintenance.sweepExecutions();
}
