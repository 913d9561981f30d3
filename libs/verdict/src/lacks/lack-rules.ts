import type { Claim, LackReason } from '@reenact/domain';

/** What a failure is taken for, before it is asked whether that may be said. */
export interface Suspicion {
  reason: LackReason;
  /** The missing thing in words; a group of the pattern stands between “ and ”. */
  what: string;
  /** Devices of which the report must name one, unless the subject's own code asked for it. */
  devices: readonly Claim['environment']['devices'][number][];
  /** The file or module that is missing, where it is one. */
  name: string | null;
}

interface LackRule {
  reason: LackReason;
  /** Plain names of the types that may carry it; empty = any. */
  types: readonly string[];
  pattern: RegExp;
  what: string;
  devices?: Suspicion['devices'];
}

const FILE_TYPES = ['FileNotFoundError', 'NotADirectoryError'];
const MODULE_TYPES = ['ModuleNotFoundError', 'ImportError'];
const WINDOWS = 'Windows';
const MAC = 'macOS';

/**
 * Messages by which well-known software says what it lacks, the first that fits wins. Every quantifier is bounded, so that matching
 * is linear in the message. Sources: the texts of PyTorch (torch/cuda/__init__.py, aten/src/ATen/detail, torch/serialization.py,
 * ProcessGroupNCCL.cpp), TensorFlow and JAX device look-ups, huggingface_hub and datasets, CPython's own errors.
 */
const RULES: readonly LackRule[] = [
  {
    reason: 'hardware',
    types: [],
    pattern:
      /Found no NVIDIA driver|Torch not compiled with CUDA enabled|No CUDA GPUs are available|no CUDA-capable device is detected|torch\.cuda\.is_available\(\) is False|ProcessGroupNCCL is only supported with GPUs|No NVIDIA GPU|CUDA (?:is not|not) available|CUDA driver (?:initialization failed|version is insufficient)|NCCL.{0,80}no GPUs found|libcuda\.so/i,
    what: 'an NVIDIA GPU with CUDA',
    devices: ['cuda'],
  },
  {
    reason: 'hardware',
    types: [],
    pattern: /MPS (?:backend|device) is not (?:available|supported)|not (?:built|compiled) with MPS|MPS backend out of reach/i,
    what: 'an Apple GPU (MPS)',
    devices: ['mps'],
  },
  {
    reason: 'hardware',
    types: [],
    pattern: /No (?:ROCm|HIP) GPUs? (?:is|are) available|HIP.{0,40}no ROCm-capable device/i,
    what: 'an AMD GPU with ROCm',
    devices: ['rocm'],
  },
  {
    reason: 'hardware',
    types: [],
    pattern: /not (?:built|compiled) with XPU|No XPU devices are available|XPU.{0,40}not available/i,
    what: 'an Intel GPU (XPU)',
    devices: ['xpu'],
  },
  {
    reason: 'hardware',
    types: [],
    pattern: /Could not satisfy device specification.{0,80}GPU|Unknown backend:? '?(?:gpu|cuda)|Requested GPU.{0,80}(?:no|not)/i,
    what: 'a GPU',
    devices: ['cuda', 'rocm'],
  },
  {
    reason: 'hardware',
    types: [],
    pattern: /No TPU (?:devices|platform)|Unknown backend:? '?tpu|libtpu\.so|TPU.{0,40}not found/i,
    what: 'a TPU',
    devices: ['tpu'],
  },
  {
    reason: 'licence',
    types: [],
    pattern: /gated repo|Access to (?:model|dataset) .{1,200} is restricted|accept (?:the|its) (?:licen[sc]e|conditions|terms)/i,
    what: 'access to files whose licence must be accepted first',
  },
  {
    reason: 'data',
    types: [],
    pattern:
      /Couldn't (?:reach|find) .{1,200} (?:on the Hub|in the (?:local )?cache)|couldn't connect to 'https:\/\/huggingface\.co|Dataset not found or corrupted|outgoing traffic has been disabled|offline mode is enabled/i,
    what: 'a data set or a model that is downloaded',
  },
  {
    reason: 'service',
    types: [],
    pattern:
      /api[_ ]key (?:client option must be set|not configured|is (?:required|missing|not set))|(?:set|provide|missing) (?:the |an? |your )?[A-Z_]{0,40}API[_ ]KEY/i,
    what: 'the key of an online service',
  },
  { reason: 'service', types: ['KeyError'], pattern: /^'([A-Z][A-Z0-9_]{0,60}(?:API_KEY|TOKEN|SECRET))'$/, what: 'the variable' },
  {
    reason: 'service',
    types: [],
    pattern:
      /Temporary failure in name resolution|Name or service not known|nodename nor servname|Failed to resolve|Max retries exceeded with url/i,
    what: 'a service on the network',
  },
  {
    reason: 'service',
    types: [],
    pattern: /Error 111 connecting to|\[Errno 111\] Connection refused/i,
    what: 'a service that listens on a port',
  },
  {
    reason: 'platform',
    types: MODULE_TYPES,
    pattern: /No module named '(?:winreg|msvcrt|_winapi|win32\w{0,20}|pywintypes)'/,
    what: WINDOWS,
  },
  {
    reason: 'platform',
    types: ['AttributeError'],
    pattern: /no attribute '(?:windll|WinDLL|startfile|WindowsProactorEventLoopPolicy|getwindowsversion)'/,
    what: WINDOWS,
  },
  { reason: 'platform', types: MODULE_TYPES, pattern: /No module named '(?:AppKit|Foundation|objc|Cocoa)'/, what: MAC },
  { reason: 'dependency', types: MODULE_TYPES, pattern: /No module named '([\w.]{1,120})'/, what: 'the Python module' },
  {
    reason: 'dependency',
    types: ['ImportError', 'OSError'],
    pattern: /(lib[\w.+-]{1,100}\.so[\w.]{0,20}): cannot open shared object file/,
    what: 'the system library',
  },
  { reason: 'data', types: FILE_TYPES, pattern: /No such file or directory: '([^']{1,400})'/, what: 'the file' },
];

/** What a failure says is missing, or null. @param type plain or dotted name of the exception's type */
export function suspectLack(type: string, message: string): Suspicion | null {
  const plain = type.split('.').at(-1) ?? type;
  const text = message.slice(0, 4_000);
  for (const { reason, types, pattern, what, devices } of RULES) {
    const found = types.length === 0 || types.includes(plain) ? pattern.exec(text) : null;
    if (found === null) continue;
    const name = found[1] ?? null;
    return { reason, what: name === null ? what : `${what} “${name}”`, devices: devices ?? [], name };
  }
  return null;
}
