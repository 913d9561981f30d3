import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, createEvidence, frame } from '../testing/index.js';

const oom = { kind: 'oom' };
const script = frame('script', 'repro.py', '<module>');
const subject = [script, frame('subject', 'train.py', 'train')];
const below = [...subject, frame('dependency', '/env/site-packages/torch/nn/functional.py', 'linear')];
const failing = (type: string, message: string, frames = subject, bases: string[] = []) =>
  createEvidence().process(10).exception({ type, message, frames, bases }).exit(1).build();
const state = (oracle: object, records: Parameters<typeof ask>[1]) => ask(oracle, records).state;

const CUDA = 'CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has a total capacity of 14.75 GiB of which 12.1 GiB is free.';
const ALLOCATORS: [string, string][] = [
  ['torch.OutOfMemoryError', CUDA],
  ['torch.cuda.OutOfMemoryError', CUDA],
  ['builtins.RuntimeError', CUDA],
  [
    'builtins.RuntimeError',
    "[enforce fail at alloc_cpu.cpp:75] . DefaultCPUAllocator: can't allocate memory: you tried to allocate 400000000000 bytes. Error code 12",
  ],
  ['numpy.core._exceptions._ArrayMemoryError', 'Unable to allocate 1.2 GiB for an array with shape (12, 34) and data type float64'],
  ['builtins.MemoryError', ''],
  ['jaxlib.xla_extension.XlaRuntimeError', 'RESOURCE_EXHAUSTED: Out of memory while trying to allocate 137438953472 bytes.'],
  [
    'tensorflow.python.framework.errors_impl.ResourceExhaustedError',
    '{{function_node x}} OOM when allocating tensor with shape[8,1024] and type float on /job:localhost',
  ],
];

describe('oom', () => {
  it.each(ALLOCATORS)('is shown by %s: %s', (type, message) => {
    expect(state(oom, failing(type, message))).toBe('shown');
    expect(state(oom, failing(type, message, below))).toBe('shown');
  });

  it('is shown by a subclass, by a cause, and by the limit of the supervisor', () => {
    expect(state(oom, failing('tool.GpuFull', 'no room', subject, ['torch.OutOfMemoryError', 'RuntimeError']))).toBe('shown');
    const cause = { type: 'builtins.MemoryError', message: '', frames: subject, link: 'cause' as const };
    const wrapped = createEvidence().exception({ type: 'builtins.ValueError', message: 'no batch', frames: subject, causes: [cause] });
    expect(state(oom, wrapped.exit(1).build())).toBe('shown');
    const limit = { signal: 'SIGKILL', endedBy: 'memory-limit' as const, peakRssBytes: 5_000 };
    expect(state(oom, createEvidence().exit(null, limit).build())).toBe('shown');
    expect(state({ ...oom, atLeastBytes: 6_000 }, createEvidence().exit(null, limit).build())).toBe('undecided');
  });

  it('reads a size that NumPy writes with a bare point', () => {
    const message = 'Unable to allocate 262. TiB for an array with shape (6000000, 6000000) and data type float64';
    const sized = (atLeastBytes: number) => state({ ...oom, atLeastBytes }, failing('numpy._core._exceptions._ArrayMemoryError', message));
    expect(sized(262 * 1024 ** 4)).toBe('shown');
    expect(sized(263 * 1024 ** 4)).toBe('collision');
  });

  it('reads the size that was asked for, not the capacity beside it', () => {
    const sized = (atLeastBytes: number) => state({ ...oom, atLeastBytes }, failing('torch.OutOfMemoryError', CUDA));
    expect(sized(20 * 1024 ** 3)).toBe('shown');
    expect(sized(21 * 1024 ** 3)).toBe('collision');
    expect(state({ ...oom, atLeastBytes: 1 }, failing('builtins.MemoryError', ''))).toBe('undecided');
    expect(state({ ...oom, atLeastBytes: 137_438_953_472 }, failing(...(ALLOCATORS[6] as [string, string])))).toBe('shown');
  });

  it('is absent where the trial came to its end', () => {
    expect(state(oom, createEvidence().process(10).exit(0).build())).toBe('absent');
    expect(state(oom, createEvidence().process(10).stdout('CUDA out of memory. Tried to allocate 2 GiB').exit(0).build())).toBe('absent');
    expect(state(oom, createEvidence().process(10).exit(0, { peakRssBytes: 1e12 }).build())).toBe('absent');
  });

  it('is a collision in the script itself, and after another failure', () => {
    expect(state(oom, failing('torch.OutOfMemoryError', CUDA, [script]))).toBe('collision');
    expect(state(oom, failing('builtins.RuntimeError', 'CUDA error: device-side assert triggered'))).toBe('collision');
    expect(state(oom, failing('grpc.RpcError', 'RESOURCE_EXHAUSTED: Received message larger than max'))).toBe('collision');
    expect(state(oom, failing('builtins.OSError', 'No space left on device'))).toBe('collision');
  });

  it('is undecided by a bare kill, another limit, or an error that nobody recorded', () => {
    expect(state(oom, createEvidence().stderr('Killed').exit(null, { signal: 'SIGKILL' }).build())).toBe('undecided');
    expect(state(oom, createEvidence().exit(137).build())).toBe('undecided');
    expect(state(oom, createEvidence().exit(null, { signal: 'SIGKILL', endedBy: 'wall-limit' }).build())).toBe('undecided');
    expect(state(oom, createEvidence().stderr('MemoryError').exit(1).build())).toBe('undecided');
  });

  it('is never shown by the sentinel of a tripwire, nor by any message of another type', () => {
    const tripped = failing('builtins.MemoryError', 'sentinel-1');
    expect(ask(oom, tripped, { sentinel: 'sentinel-1' }).state).not.toBe('shown');
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('builtins.ValueError', 'builtins.OSError', 'tool.Full'), (message, type) => {
        expect(state(oom, failing(type, `${message} ${CUDA}`))).not.toBe('shown');
      }),
    );
  });
});
