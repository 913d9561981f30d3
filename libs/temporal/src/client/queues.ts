import { QUEUES } from '@reenact/domain';
import type { QueueName } from '@reenact/domain';

export { QUEUES };
export type { QueueName };

/** Every queue that exists now. */
export const QUEUE_NAMES: readonly QueueName[] = Object.values(QUEUES);
