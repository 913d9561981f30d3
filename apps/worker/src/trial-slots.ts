import { QUEUES } from '@reenact/domain';
import type { QueueName, SandboxConfiguration } from '@reenact/domain';
import { readClusterSettings } from '@reenact/sandbox';

/**
 * How many trials this worker has under way at once, where that is not told by the cores of its machine: trials of a cluster run
 * elsewhere, and only wait here.
 *
 * @throws AppError `config-invalid` for settings of a cluster that cannot be read.
 */
export async function trialSlots(sandbox: SandboxConfiguration): Promise<Partial<Record<QueueName, number>>> {
  if (sandbox.type === 'local') return {};
  const { concurrency } = await readClusterSettings(sandbox.settings);
  return { [QUEUES.jobsCpu]: concurrency };
}
