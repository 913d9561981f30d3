import { AppError, sha256Hex } from '@reenact/domain';
import type { ArtifactStore, ModelCall, RunStore } from '@reenact/domain';

/** The parts of the stores that authoring uses, in memory: for specs without a disk. */
export interface MemoryStores {
  artifacts: Pick<ArtifactStore, 'putBytes' | 'getBytes'>;
  runs: Pick<RunStore, 'getModelCall' | 'putModelCall' | 'listModelCalls'>;
}

/** Creates empty in-memory stores. */
export function createMemoryStores(): MemoryStores {
  const bytes = new Map<string, Uint8Array>();
  const calls = new Map<string, { runId: string; call: ModelCall }>();
  return {
    artifacts: {
      putBytes: async (content) => {
        const ref = `sha256:${sha256Hex(Buffer.from(content).toString('utf8'))}`;
        bytes.set(ref, content);
        return ref;
      },
      getBytes: async (ref) => {
        const content = bytes.get(ref);
        if (!content) throw new AppError('internal', `No content ${ref}`);
        return content;
      },
    },
    runs: {
      getModelCall: async (key) => calls.get(key)?.call ?? null,
      putModelCall: async (key, runId, call) => void calls.set(key, { runId, call }),
      listModelCalls: async (runId) => [...calls.values()].filter((entry) => entry.runId === runId).map(({ call }) => call),
    },
  };
}
