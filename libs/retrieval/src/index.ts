import type { ContextSource } from '@reenact/domain';

export function createContextSource(): ContextSource {
  return { retrieve: () => Promise.resolve([]) };
}
