/**
 * Thread that runs an ONNX model, one input at a time. It stands alone: it is started from the sources as well as from the build.
 * A native run blocks its thread, so that heartbeats and signals need the main one free.
 */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

interface Tensor {
  type: string;
  data: unknown;
  dims: readonly number[];
}

interface Session {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}

interface Runtime {
  Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => Tensor;
  InferenceSession: { create(file: string, options: Record<string, unknown>): Promise<Session> };
}

interface LaneSettings {
  runtime: string;
  modelFile: string;
  pooling: 'mean' | 'cls' | 'logit';
}

interface Job {
  id: number;
  ids: Int32Array;
  types: Int32Array;
}

/** Outputs that hold one row already, in the names that exporters give. */
const POOLED = new Set(['sentence_embedding', 'logits']);
const INPUTS = new Set(['input_ids', 'attention_mask', 'token_type_ids']);

const { runtime, modelFile, pooling } = workerData as LaneSettings;

function laneTensors(library: Runtime, session: Session, { ids, types }: Job): Record<string, Tensor> {
  const tensor = (values: Int32Array) => new library.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const all: Record<string, () => Tensor> = {
    input_ids: () => tensor(ids),
    attention_mask: () => tensor(new Int32Array(ids.length).fill(1)),
    token_type_ids: () => tensor(types),
  };
  return Object.fromEntries(session.inputNames.map((name) => [name, all[name]!()]));
}

/** One row: a logit as it is; else the mean over the tokens (all are real ones, there is no padding) or the first, at length 1. */
function rowOf(outputs: Record<string, Tensor>, name: string): Float32Array {
  const { data, dims } = outputs[name]!;
  if (!(data instanceof Float32Array)) throw new Error(`its output ${name} is not float32`);
  const width = dims.at(-1) ?? 0;
  if (pooling === 'logit') {
    if (data.length !== 1) throw new Error(`its output ${name} holds ${data.length} numbers, not the one score of a cross-encoder`);
    return Float32Array.from(data);
  }
  const rows = pooling === 'cls' || dims.length === 2 ? 1 : data.length / width;
  const row = new Float64Array(width);
  for (let index = 0; index < rows * width; index++) row[index % width]! += data[index]!;
  const length = Math.hypot(...row);
  if (!(length > 0 && length < Infinity)) throw new Error('it gave a vector without a direction');
  return Float32Array.from(row, (value) => value / length);
}

async function openLane(): Promise<(job: Job) => Promise<Float32Array>> {
  const library = createRequire(import.meta.url)(runtime) as Runtime;
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential', logSeverityLevel: 3 };
  const session = await library.InferenceSession.create(modelFile, options);
  const unknown = session.inputNames.find((name) => !INPUTS.has(name));
  if (unknown !== undefined) throw new Error(`it wants an input ${JSON.stringify(unknown.slice(0, 60))} that no BERT model has`);
  const output = session.outputNames.find((name) => POOLED.has(name)) ?? session.outputNames[0]!;
  return async (job) => rowOf(await session.run(laneTensors(library, session, job)), output);
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}

try {
  const run = await openLane();
  parentPort!.on('message', (job: Job) => {
    run(job).then(
      (row) => parentPort!.postMessage({ id: job.id, row }, [row.buffer as ArrayBuffer]),
      (error: unknown) => parentPort!.postMessage({ id: job.id, failed: reasonOf(error) }),
    );
  });
  parentPort!.postMessage({ ready: true });
} catch (error) {
  parentPort!.postMessage({ failed: reasonOf(error) });
}
