import { Worker } from 'node:worker_threads';
import { AppError } from '@reenact/domain';
import { findOnnxRuntime } from './onnx-runtime.js';

/** How a model is opened. */
export interface LanesSettings {
  modelFile: string;
  /** What is made of the model's output: a unit vector, or the one score of a cross-encoder. */
  pooling: 'mean' | 'cls' | 'logit';
  /** Folder whose `node_modules` holds `onnxruntime-node`; null = where this package finds it. */
  runtimeDirectory: string | null;
  /** Threads that each hold the model. */
  lanes: number;
}

/** Ids of one input with its special tokens, and which part of a pair each belongs to. */
export interface ModelInput {
  ids: number[];
  types?: number[];
}

/**
 * A model in several threads. An input is run alone: of a dynamically quantised model, the answer would else depend on the others of
 * its batch, and there is no padding to pay for.
 */
export interface OnnxLanes {
  run(input: ModelInput): Promise<Float32Array>;
  close(): Promise<void>;
}

interface Job {
  input: ModelInput;
  resolve: (row: Float32Array) => void;
  reject: (error: unknown) => void;
}

type LaneMessage = { ready: true } | { id?: number; row?: Float32Array; failed?: string };

/** The thread's file lies beside this one, in the sources as in the build. */
const LANE = new URL(import.meta.url.endsWith('.ts') ? './onnx-lane.ts' : './onnx-lane.js', import.meta.url);

/** @throws AppError `config-invalid` where the runtime is not installed or the model does not open. */
export async function openOnnxLanes(settings: LanesSettings): Promise<OnnxLanes> {
  const runtime = findOnnxRuntime(settings.runtimeDirectory);
  const queue: Job[] = [];
  const idle = new Set<Lane>();
  const lanes = new Set<Lane>();
  const next = (): void => {
    for (const lane of idle) {
      const job = queue.shift();
      if (job === undefined) return;
      idle.delete(lane);
      lane.start(job);
    }
  };
  const onIdle = (lane: Lane): void => {
    idle.add(lane);
    next();
  };
  const onEnd = (lane: Lane, error: unknown): void => {
    lanes.delete(lane);
    idle.delete(lane);
    if (lanes.size === 0) for (const job of queue.splice(0)) job.reject(error);
  };
  const opened = await Promise.allSettled(Array.from({ length: settings.lanes }, () => openLane(runtime, settings, { onIdle, onEnd })));
  for (const result of opened) if (result.status === 'fulfilled') lanes.add(result.value);
  const close = async (): Promise<void> => {
    await Promise.all(Array.from(lanes, (lane) => lane.close()));
  };
  const failed = opened.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await close();
    throw failed.reason;
  }
  for (const lane of lanes) idle.add(lane);
  return {
    run: (input) =>
      new Promise((resolve, reject) => {
        if (lanes.size === 0) return reject(laneError(settings.modelFile, 'its threads have ended'));
        queue.push({ input, resolve, reject });
        next();
      }),
    close,
  };
}

interface Lane {
  start(job: Job): void;
  close(): Promise<void>;
}

interface LaneEvents {
  onIdle: (lane: Lane) => void;
  onEnd: (lane: Lane, error: unknown) => void;
}

function openLane(runtime: string, { modelFile, pooling }: LanesSettings, { onIdle, onEnd }: LaneEvents): Promise<Lane> {
  const worker = new Worker(LANE, { workerData: { runtime, modelFile, pooling }, execArgv: [], env: {} });
  // Nobody waits for a thread without a job: an embedder that was not closed must not keep a process alive.
  worker.unref();
  let current: Job | null = null;
  const lane: Lane = {
    start: (job) => {
      current = job;
      worker.ref();
      const { ids, types = [] } = job.input;
      worker.postMessage({ id: 0, ids: Int32Array.from(ids), types: Int32Array.from(ids, (_, index) => types[index] ?? 0) });
    },
    close: async () => void (await worker.terminate()),
  };
  return new Promise((resolve, reject) => {
    worker.ref();
    worker.on('message', (message: LaneMessage) => {
      worker.unref();
      if ('ready' in message) return resolve(lane);
      const error = message.failed === undefined ? null : laneError(modelFile, message.failed);
      const job = current;
      current = null;
      if (job === null) {
        reject(error ?? laneError(modelFile, 'it did not open'));
        return void worker.terminate();
      }
      if (error === null) job.resolve(message.row!);
      else job.reject(error);
      onIdle(lane);
    });
    const end = (detail: string): void => {
      const error = laneError(modelFile, detail);
      current?.reject(error);
      current = null;
      reject(error);
      onEnd(lane, error);
    };
    worker.on('error', (error) => end(error instanceof Error ? error.message.slice(0, 300) : 'its thread failed'));
    worker.on('exit', () => end('its thread has ended'));
  });
}

function laneError(modelFile: string, detail: string): AppError {
  return new AppError('config-invalid', `The model ${modelFile} cannot be run: ${detail}.`, {
    hint: 'Check that the file is whole and an ONNX export of a BERT model; docs/models.md tells what is expected.',
  });
}
