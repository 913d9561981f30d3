import { describe, expect, it } from 'vitest';
import { matchMessage } from './message-match.js';

const compare = (seen: string, claimed: string) => matchMessage(seen, { text: claimed, match: 'signature' });

const ASYNC =
  '\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1.';
const NEWER_ASYNC =
  '\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n';

/**
 * Claimed and seen words of one failure, as versions, machines and runs word it. PyTorch 1.4 to 2.9, NCCL 2.10 to 2.21, Keras 2
 * and 3, TensorFlow 2, JAX, NumPy and CPython: from their sources and manuals where no device is at hand to raise them.
 */
const SAME: [claimed: string, seen: string][] = [
  [`CUDA error: device-side assert triggered${ASYNC}`, `CUDA error: device-side assert triggered${NEWER_ASYNC}`],
  ['CUDA error: device-side assert triggered', `CUDA error: device-side assert triggered${NEWER_ASYNC}`],
  [`CUDA error: an illegal memory access was encountered${ASYNC}`, 'CUDA error: an illegal memory access was encountered'],
  [
    'CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 7.93 GiB total capacity; 6.89 GiB already allocated; 18.19 MiB free; 7.02 GiB reserved in total by PyTorch)',
    'CUDA out of memory. Tried to allocate 2.50 GiB. GPU 3 has a total capacity of 79.10 GiB of which 1.20 GiB is free. Including non-PyTorch memory, this process has 77.90 GiB memory in use.',
  ],
  [
    'Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!',
    'Expected all tensors to be on the same device, but found at least two devices, cuda:3 and cpu! (when checking argument for argument mat1 in method wrapper_CUDA_addmm)',
  ],
  [
    'Attempting to deserialize object on CUDA device 3 but torch.cuda.device_count() is 1.',
    'Attempting to deserialize object on CUDA device 7 but torch.cuda.device_count() is 2.',
  ],
  [
    '[../third_party/gloo/gloo/transport/tcp/pair.cc:598] Connection closed by peer [127.0.0.1]:22164',
    '[/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.1.2.3]:60572',
  ],
  [
    '[./gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 5000ms for recv operation to complete',
    '[/pytorch/third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 1800000ms for recv operation to complete',
  ],
  [
    'NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1191, unhandled system error, NCCL version 2.10.3',
    'NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1333, unhandled system error, NCCL version 2.18.1',
  ],
  [
    '[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600012 milliseconds',
    '[Rank 5] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=841, OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1800543 milliseconds',
  ],
  ['mat1 and mat2 shapes cannot be multiplied (32x10 and 5x2)', 'mat1 and mat2 shapes cannot be multiplied (8x100 and 50x2)'],
  [
    'The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 1',
    'The size of tensor a (400) must match the size of tensor b (300) at non-singleton dimension 1',
  ],
  [
    'Input type (torch.cuda.HalfTensor) and weight type (torch.cuda.FloatTensor) should be the same',
    'Input type (torch.cuda.HalfTensor) and weight type (torch.cuda.FloatTensor) should be the same',
  ],
  [
    'Given groups=1, weight of size [8, 3, 3, 3], expected input[1, 1, 28, 28] to have 3 channels, but got 1 channels instead',
    'Given groups=1, weight of size [64, 3, 7, 7], expected input[16, 1, 224, 224] to have 3 channels, but got 1 channels instead',
  ],
  [
    'Caught ValueError in DataLoader worker process 0.\nOriginal Traceback (most recent call last):\n  File "/a/worker.py", line 302, in _worker_loop\n    data = fetcher.fetch(index)\nValueError: row 5 is empty\n',
    'row 7 is empty',
  ],
  [
    'row 5 is empty',
    'Caught ValueError in DataLoader worker process 3.\nOriginal Traceback (most recent call last):\n  File "/b/fetch.py", line 58, in fetch\nValueError: row 11 is empty\n',
  ],
  [
    'Caught RuntimeError in replica 1 on device 1.\nOriginal Traceback (most recent call last):\n  File "/a/parallel_apply.py", line 64, in _worker\nRuntimeError: weight is gone',
    'weight is gone',
  ],
  [
    'Error(s) in loading state_dict for Net:\n\tsize mismatch for fc.weight: copying a param with shape torch.Size([10, 4]) from checkpoint, the shape in current model is torch.Size([2, 4]).',
    'Error(s) in loading state_dict for Net:\n\tsize mismatch for fc.weight: copying a param with shape torch.Size([100, 40]) from checkpoint, the shape in current model is torch.Size([20, 40]).',
  ],
  ['Error(s) in loading state_dict for Net:', 'Error(s) in loading state_dict for Net:\n\tMissing key(s) in state_dict: "a.weight".'],
  [
    'Exception encountered when calling layer "mix" (type Mix).\n\nMatrix size-incompatible: In[0]: [2,4], In[1]: [5,2] [Op:MatMul]\n\nCall arguments received by layer "mix" (type Mix):\n  • inputs=tf.Tensor(shape=(2, 4), dtype=float32)',
    'Exception encountered when calling Mix.call().\n\n\u001b[1mMatrix size-incompatible: In[0]: [20,40], In[1]: [50,20] [Op:MatMul]\u001b[0m\n\nArguments received by Mix.call():\n  • inputs=tf.Tensor(shape=(20, 40), dtype=float32)',
  ],
  [
    'Matrix size-incompatible: In[0]: [2,4], In[1]: [5,2] [Op:MatMul]',
    'Exception encountered when calling Mix.call().\n\nMatrix size-incompatible: In[0]: [2,4], In[1]: [5,2] [Op:MatMul]',
  ],
  [
    'in user code:\n\n    File "/a/fit.py", line 6, in mix  *\n        return tf.matmul(x, y)\n\n    ValueError: Dimensions must be equal, but are 3 and 5',
    'in user code:\n\n    File "/b/other/fit.py", line 60, in mix  *\n        return tf.matmul(x, y)\n\n    ValueError: Dimensions must be equal, but are 30 and 50',
  ],
  [
    'Graph execution error:\n\nDetected at node MatMul defined at (most recent call last):\n  File "/a/f.py", line 9, in <module>\n\nMatrix size-incompatible: In[0]: [2,3], In[1]: [5,2]\n\t [[{{node MatMul}}]] [Op:__inference_mix_9]',
    'Graph execution error:\n\nDetected at node MatMul defined at (most recent call last):\n  File "/b/f.py", line 9, in <module>\n\n  File "/b/f.py", line 3, in mix\n\nMatrix size-incompatible: In[0]: [20,30], In[1]: [50,20]\n\t [[{{node MatMul}}]] [Op:__inference_mix_412]',
  ],
  [
    'scan body function carry input and carry output must have equal types, but they differ:\n\nThe input carry carry has type float32[] but the corresponding output carry component has type complex64[]',
    'scan body function carry input and carry output must have equal types, but they differ:\n\nThe input carry carry has type float32[] but the corresponding output carry component has type complex64[], so the dtypes do not match.',
  ],
  [
    'dot_general requires contracting dimensions to have the same shape, got (3,) and (5,).',
    'dot_general requires contracting dimensions to have the same shape, got (30,) and (50,).',
  ],
  [
    '{{function_node __wrapped__Fill_device_/job:localhost/replica:0/task:0/device:CPU:0}} Dimension -2147483648 must be >= 0 [Op:Fill]',
    '{{function_node __wrapped__Fill_device_/job:localhost/replica:0/task:0/device:CPU:0}} Dimension -3 must be >= 0 [Op:Fill]',
  ],
  [
    'OOM when allocating tensor with shape[64,512,512] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc',
    'OOM when allocating tensor with shape[32,128,128] and type float on /job:localhost/replica:0/task:0/device:GPU:1 by allocator GPU_1_bfc',
  ],
  [
    'operands could not be broadcast together with shapes (3,4) (5,) ',
    'operands could not be broadcast together with shapes (30,40) (50,) ',
  ],
  [
    'Unable to allocate 7.45 GiB for an array with shape (1000, 1000, 1000) and data type float64',
    'Unable to allocate 512. MiB for an array with shape (100, 1000, 1000) and data type float64',
  ],
  ["[Errno 2] No such file or directory: '/home/ada/runs/7/last.pt'", "[Errno 2] No such file or directory: 'C:\\\\runs\\\\12\\\\last.pt'"],
  ["'Net' object has no attribute 'foward'. Did you mean: 'forward'?", "'Net' object has no attribute 'foward'"],
  ["can't pickle _thread.lock objects", "cannot pickle '_thread.lock' object"],
  ["local variable 'loss' referenced before assignment", "cannot access local variable 'loss' where it is not associated with a value"],
  ['forward() takes 2 positional arguments but 3 were given', 'Net.forward() takes 2 positional arguments but 4 were given'],
  ["forward() missing 1 required positional argument: 'mask'", "Encoder.forward() missing 1 required positional argument: 'mask'"],
  ["__init__() got an unexpected keyword argument 'lr'", "Adam.__init__() got an unexpected keyword argument 'lr'"],
  ["unhashable type: 'list'", "cannot use 'list' as a dict key (unhashable type: 'list')"],
  ['maximum recursion depth exceeded while calling a Python object', 'maximum recursion depth exceeded in comparison'],
  ['invalid syntax', 'invalid syntax (train.py, line 88)'],
  ['<Net object at 0x7f3a2b4c5d6e> is not a module', '<Net object at 0x55d0c0ffee00> is not a module'],
  ['checkpoint 3f2a9c1b4d5e6f70 of 2024-05-01 10:11:12 is broken', 'checkpoint 0a1b2c3d4e5f6071 of 2023-01-02 is broken'],
  ['no response within 12.5 s (87 %)', 'no response within 300 ms (3.5 %)'],
  [
    '(/env/lib/python3.9/site-packages/torch/serialization.py:930) storage is gone',
    '(C:\\env\\Lib\\site-packages\\torch\\serialization.py:1025) storage is gone',
  ],
];

/** Claimed and seen words of two failures that look alike. */
const OTHER: [claimed: string, seen: string][] = [
  [`CUDA error: device-side assert triggered${ASYNC}`, `CUDA error: an illegal memory access was encountered${ASYNC}`],
  [`CUDA error: device-side assert triggered${NEWER_ASYNC}`, `CUDA error: misaligned address${NEWER_ASYNC}`],
  [`CUDA error: no kernel image is available for execution on the device${ASYNC}`, `CUDA error: invalid device ordinal${ASYNC}`],
  [
    'CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`',
    'CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm( handle, opa, opb, m, n, k)`',
  ],
  [
    'CUDA out of memory. Tried to allocate 20.00 MiB',
    'MPS backend out of memory (MPS allocated: 9.05 GB, other allocations: 512 MB, max allowed: 18.13 GB)',
  ],
  [
    'Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!',
    'Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cuda:1!',
  ],
  [
    'Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!',
    'Expected all tensors to be on the same device, but found at least two devices, mps:0 and cpu!',
  ],
  [
    '[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, OpType=ALLREDUCE, Timeout(ms)=600000)',
    '[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, OpType=BROADCAST, Timeout(ms)=600000)',
  ],
  [
    'NCCL error in: ProcessGroupNCCL.cpp:1191, unhandled system error, NCCL version 2.10.3',
    'NCCL error in: ProcessGroupNCCL.cpp:1191, invalid usage, NCCL version 2.10.3',
  ],
  ['mat1 and mat2 shapes cannot be multiplied (32x10 and 5x2)', 'mat1 and mat2 shapes cannot be multiplied (32x10x1 and 5x2)'],
  ['mat1 and mat2 must have the same dtype, but got Float and Half', 'mat1 and mat2 must have the same dtype, but got Float and BFloat16'],
  ['expected scalar type Float but found Double', 'expected scalar type Double but found Float'],
  ['expected scalar type Long but found Int', 'expected scalar type Long but found Float'],
  [
    'Input type (torch.cuda.HalfTensor) and weight type (torch.cuda.FloatTensor) should be the same',
    'Input type (torch.cuda.FloatTensor) and weight type (torch.cuda.HalfTensor) should be the same',
  ],
  [
    'Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same',
    'Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same',
  ],
  [
    'Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [2, 3]',
    'Expected 2D (unbatched) or 3D (batched) input to conv1d, but got input of size: [2, 3, 4, 5]',
  ],
  [
    'Given groups=1, weight of size [8, 3, 3, 3], expected input[1, 1, 28, 28] to have 3 channels',
    'Given groups=1, weight of size [8, 3, 3], expected input[1, 1, 28] to have 3 channels',
  ],
  [
    'Dimension out of range (expected to be in range of [-1, 0], but got 1)',
    'Dimension out of range (expected to be in range of [-2, 1], but got 2)',
  ],
  [
    '"nll_loss_forward_reduce_cuda_kernel_2d_index" not implemented for \'Int\'',
    '"nll_loss_forward_reduce_cuda_kernel_2d_index" not implemented for \'Short\'',
  ],
  ['"addmm_impl_cpu_" not implemented for \'Half\'', '"addmm_impl_cpu_" not implemented for \'Long\''],
  [
    'Error(s) in loading state_dict for Net:\n\tMissing key(s) in state_dict: "a.weight".',
    'Error(s) in loading state_dict for Net:\n\tUnexpected key(s) in state_dict: "a.weight".',
  ],
  [
    'Error(s) in loading state_dict for Net:\n\tsize mismatch for fc.weight: copying a param with shape torch.Size([10, 4]) from checkpoint, the shape in current model is torch.Size([10, 4, 1]).',
    'Error(s) in loading state_dict for Net:\n\tsize mismatch for fc.weight: copying a param with shape torch.Size([10, 4]) from checkpoint, the shape in current model is torch.Size([10]).',
  ],
  [
    'Caught ValueError in DataLoader worker process 0.\nOriginal Traceback (most recent call last):\nValueError: row 5 is empty\n',
    'Caught ValueError in DataLoader worker process 0.\nOriginal Traceback (most recent call last):\nValueError: too many columns\n',
  ],
  ['DataLoader worker (pid 4711) is killed by signal: Bus error.', 'DataLoader worker (pid 4711) is killed by signal: Segmentation fault.'],
  [
    'Exception encountered when calling Mix.call().\n\nMatrix size-incompatible: In[0]: [2,4], In[1]: [5,2] [Op:MatMul]',
    'Exception encountered when calling Mix.call().\n\nindices[0] = 9 is not in [0, 5) [Op:ResourceGather]',
  ],
  [
    'Exception encountered when calling Mix.call().\n\nMatrix size-incompatible: In[0]: [2,4], In[1]: [5,2] [Op:MatMul]',
    'Exception encountered when calling Mix.call().\n\nMatrix size-incompatible: In[0]: [2,4,1], In[1]: [5,2] [Op:MatMul]',
  ],
  [
    'cannot compute MatMul as input #1(zero-based) was expected to be a float tensor but is a half tensor [Op:MatMul]',
    'cannot compute MatMul as input #1(zero-based) was expected to be a float tensor but is a double tensor [Op:MatMul]',
  ],
  [
    'in user code:\n\n    File "/a/fit.py", line 6, in mix  *\n\n    ValueError: Dimensions must be equal, but are 3 and 5',
    'in user code:\n\n    File "/a/fit.py", line 6, in mix  *\n\n    ValueError: Shapes (None, 1) and (None, 10) are incompatible',
  ],
  [
    'Graph execution error:\n\nMatrix size-incompatible: In[0]: [2,3], In[1]: [5,2]',
    'Graph execution error:\n\nindices[3] = 9 is not in [0, 5)',
  ],
  ['Shapes (None, 1) and (None, 10) are incompatible', 'Shapes (None, 1, 1) and (None, 10) are incompatible'],
  [
    'Input 0 of layer "conv2d" is incompatible with the layer: expected min_ndim=4, found ndim=3. Full shape received: (None, 28, 28)',
    'Input 0 of layer "conv2d" is incompatible with the layer: expected min_ndim=4, found ndim=2. Full shape received: (None, 28)',
  ],
  [
    'OOM when allocating tensor with shape[64,512,512] and type float on /job:localhost/replica:0/task:0/device:GPU:0',
    'OOM when allocating tensor with shape[64,512,512] and type float on /job:localhost/replica:0/task:0/device:CPU:0',
  ],
  [
    'scan body function carry input and carry output must have equal types, but they differ:\n\nThe input carry has type float32[]',
    'scan body function carry input and carry output must have equal types, but they differ:\n\nThe input carry has type float32[2]',
  ],
  [
    'dot_general requires contracting dimensions to have the same shape, got (3,) and (5,).',
    'dot_general requires contracting dimensions to have the same shape, got (3, 1) and (5,).',
  ],
  [
    "ufunc 'add' did not contain a loop with signature matching types (dtype('<U5'), dtype('float64')) -> None",
    "ufunc 'add' did not contain a loop with signature matching types (dtype('<U5'), dtype('int64')) -> None",
  ],
  ['operands could not be broadcast together with shapes (3,4) (5,) ', 'operands could not be broadcast together with shapes (3,4) (5,1) '],
  [
    'Unable to allocate 7.45 GiB for an array with shape (1000, 1000, 1000) and data type float64',
    'Unable to allocate 7.45 GiB for an array with shape (1000, 1000, 1000) and data type float32',
  ],
  ["can't pickle _thread.lock objects", "can't pickle generator objects"],
  ['list index out of range', 'tuple index out of range'],
  ['string index out of range', 'list index out of range'],
  ["'NoneType' object is not subscriptable", "'NoneType' object is not iterable"],
  ['forward() takes 2 positional arguments but 3 were given', 'backward() takes 2 positional arguments but 3 were given'],
  ['division by zero', 'float modulo'],
  ['storage is gone', 'storage is shared'],
];

describe('one failure in two wordings', () => {
  it.each(SAME)('%s', (claimed, seen) => {
    expect(compare(seen, claimed)).toBe('equal');
  });
});

describe('two failures', () => {
  it.each(OTHER)('%s', (claimed, seen) => {
    expect(compare(seen, claimed)).toBe('none');
    expect(compare(claimed, seen)).toBe('none');
    expect(compare(claimed, claimed)).toBe('equal');
  });
});
