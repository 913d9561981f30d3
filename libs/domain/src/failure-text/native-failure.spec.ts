import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeWords, readNativeFailures } from './native-failure.js';
import { faultSignal } from './native-lines.js';

const read = (text: string) => readNativeFailures(text.split('\n'));

/** Text, signal, words: as the named sources print them. */
const FORMS: [source: string, text: string, signal: string, words: string][] = [
  ['glibc 2.36', 'free(): invalid pointer', 'SIGABRT', 'free(): invalid pointer'],
  ['glibc 2.36', 'double free or corruption (!prev)', 'SIGABRT', 'double free or corruption (!prev)'],
  [
    'glibc 2.36',
    'malloc_consolidate(): unaligned fastbin chunk detected',
    'SIGABRT',
    'malloc_consolidate(): unaligned fastbin chunk detected',
  ],
  ['glibc 2.36', 'corrupted size vs. prev_size while consolidating', 'SIGABRT', 'corrupted size vs. prev_size while consolidating'],
  ['glibc 2.23', "*** Error in `python': free(): invalid next size (fast): 0x00007f00 ***", 'SIGABRT', 'free(): invalid next size (fast)'],
  ['glibc', '*** stack smashing detected ***: terminated', 'SIGABRT', 'stack smashing detected'],
  ['glibc', '*** buffer overflow detected ***: python terminated', 'SIGABRT', 'buffer overflow detected'],
  [
    'libstdc++',
    "terminate called after throwing an instance of 'c10::Error'\n  what():  CUDA error: an illegal memory access\nCompile with X",
    'SIGABRT',
    'c10::Error: CUDA error: an illegal memory access\nCompile with X',
  ],
  ['libstdc++', "terminate called after throwing an instance of 'int'", 'SIGABRT', 'int'],
  ['libstdc++', 'terminate called without an active exception', 'SIGABRT', 'terminate called without an active exception'],
  [
    'libc++abi',
    'libc++abi: terminating due to uncaught exception of type std::runtime_error: queue is closed',
    'SIGABRT',
    'std::runtime_error: queue is closed',
  ],
  ['assert(3)', "python: ../src/conv.cpp:88: void run(int): Assertion `n > 2' failed.", 'SIGABRT', "Assertion 'n > 2' failed in conv.cpp"],
  [
    'TensorFlow 2.5',
    '2021-08-10 12:00:00.123456: F tensorflow/core/framework/tensor_shape.cc:187] Check failed: 0 <= new_num_elements (0 vs. -1)',
    'SIGABRT',
    'Check failed: 0 <= new_num_elements (0 vs. -1)',
  ],
  [
    'TensorFlow 2.21',
    'F0000 00:00:1796031623.985827   15283 tensor.cc:1023] Check failed: NDIMS == dims() (2 vs. 3)',
    'SIGABRT',
    'Check failed: NDIMS == dims() (2 vs. 3)',
  ],
  [
    'glog',
    'F0810 12:00:00.123456 4711 blob.cpp:32] Check failed: shape[i] >= 0 (-1 vs. 0)',
    'SIGABRT',
    'Check failed: shape[i] >= 0 (-1 vs. 0)',
  ],
  ['c10', '[F tensor_impl.cpp:12] Check failed: storage_', 'SIGABRT', 'Check failed: storage_'],
  ['Open MPI', '[node7:04711] Signal: Segmentation fault (11)', 'SIGSEGV', ''],
  ['UCX', '[node7:4711 :0:4711] Caught signal 7 (Bus error: nonexistent physical address)', 'SIGBUS', ''],
  ['absl', '*** SIGFPE received at time=1640000000 on cpu 3 ***', 'SIGFPE', ''],
  ['shell', 'Segmentation fault (core dumped)', 'SIGSEGV', ''],
  ['shell', 'run.sh: line 4:  4711 Bus error               (core dumped) python train.py', 'SIGBUS', ''],
  ['IDE', 'Process finished with exit code 139 (interrupted by signal 11: SIGSEGV)', 'SIGSEGV', ''],
  ['torch.distributed.elastic', '  traceback : Signal 11 (SIGSEGV) received by PID 27635', 'SIGSEGV', ''],
  ['torch.multiprocessing', 'torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGSEGV', 'SIGSEGV', ''],
  ['CPython 3.9', 'Fatal Python error: none_dealloc: deallocating None\nPython runtime state: finalizing', 'SIGABRT', 'deallocating None'],
  ['CPython 3.6', 'Fatal Python error: deallocating None', 'SIGABRT', 'deallocating None'],
];

const DUMP = `Fatal Python error: Segmentation fault

Thread 0x00007f01 (most recent call first):
  File "/usr/lib/python3.14/threading.py", line 359 in wait

Current thread 0x00007f02 [MainThread] (most recent call first):
  File "/home/ada/net/cell.py", line 5 in step
  File "/home/ada/train.py", line 8 in <module>

Current thread's C stack trace (most recent call first):
  Binary file "/usr/lib/libtorch.so", at at::native+0x1234 [0x7f0000]

Extension modules: numpy.core._multiarray_umath, torch._C (total: 2)`;

describe('readNativeFailures', () => {
  it.each(FORMS)('reads %s: %s', (_source, text, signal, words) => {
    const found = read(`step 3\n${text}\n`);
    expect(found.map((failure) => [failure.signal, nativeWords(failure)])).toEqual([[signal, words]]);
  });

  it('reads the thread that the signal hit, outermost frame first', () => {
    expect(read(DUMP)).toMatchObject([
      { signal: 'SIGSEGV', message: '', frames: [{ file: '/home/ada/train.py' }, { line: 5, function: 'step' }], start: 0, end: 13 },
    ]);
  });

  it('joins what tells one end: native words, the dump and the shell', () => {
    const text = ['free(): invalid pointer', DUMP.replace('Segmentation fault', 'Aborted'), 'Aborted (core dumped)'].join('\n');
    expect(read(text)).toMatchObject([
      { signal: 'SIGABRT', message: 'free(): invalid pointer', frames: [{}, { function: 'step' }], start: 0 },
    ]);
  });

  it('keeps two ends apart', () => {
    expect(read('free(): invalid pointer\ndouble free or corruption (out)')).toHaveLength(2);
    expect(read('free(): invalid pointer\nSegmentation fault')).toHaveLength(2);
    expect(read(`Aborted\n${'step\n'.repeat(5)}Aborted`)).toHaveLength(2);
  });

  it.each([
    'no segmentation fault was seen here',
    'W0000 00:00:1796031623.985827 15283 op_kernel.cc:1858] OP_REQUIRES failed at constant_op.cc:174',
    'E1130 09:30:10.700000 26771 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1)',
    '../aten/src/ATen/native/cuda/Indexing.cu:1146: indexSelectLargeIndex: block: [228,0,0], thread: [96,0,0] Assertion `srcIndex < srcSelectDimSize` failed.',
    'AssertionError: n > 2',
    'Killed',
    'Terminated',
    'I call free(): it is invalid',
  ])('makes nothing of %j', (text) => {
    expect(read(text)).toEqual([]);
  });

  it('reads any lines without an error, in order and within them', () => {
    const line = fc.oneof(fc.constantFrom(...FORMS.map(([, text]) => text), ...DUMP.split('\n')), fc.string({ maxLength: 60 }));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        let last = 0;
        for (const failure of readNativeFailures(lines)) {
          expect(failure.start).toBeGreaterThanOrEqual(last);
          expect(failure.end).toBeGreaterThan(failure.start);
          expect(failure.end).toBeLessThanOrEqual(lines.length);
          last = failure.end;
        }
      }),
    );
  });

  it('is linear over hostile lines', () => {
    for (const piece of [
      'a::',
      'free(): ',
      '*** ',
      'x:1: ',
      'F0000 ',
      '[F ',
      'Fatal Python error: ',
      "terminate called after throwing an instance of '",
      'Caught signal 1 (',
    ]) {
      expect(readNativeFailures([piece.repeat(50_000)]).length).toBeLessThanOrEqual(1);
    }
    expect(readNativeFailures(Array.from({ length: 20_000 }, () => 'Current thread 0x1 (most recent call first):'))).toEqual([]);
  });
});

describe('faultSignal', () => {
  it('knows names, words and numbers of faults, and no others', () => {
    expect(['SIGSEGV', 'segmentation fault', '11', 'Aborted'].map(faultSignal)).toEqual(['SIGSEGV', 'SIGSEGV', 'SIGSEGV', 'SIGABRT']);
    expect(['SIGTERM', 'Killed', '9', '', 'constructor'].map(faultSignal)).toEqual([null, null, null, null, null]);
  });
});
