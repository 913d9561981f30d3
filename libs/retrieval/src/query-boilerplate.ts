/** Reports are cut here, in characters (method.md section 1.3). */
const LONGEST_BODY = 100_000;
/** Longer lines are data; what stands at their beginning says what they are. */
const LONGEST_LINE = 2000;
/** A line of an environment section with so many words is a sentence that somebody put there. */
const SENTENCE_WORDS = 8;

/**
 * Headings of issue forms (of PyTorch, TensorFlow, Keras, JAX, Hugging Face, Lightning and their kin) below which only versions, check
 * marks and names stand.
 */
const ENVIRONMENT_HEADING =
  /^(?:(?:current |your |my )?environment(?: info(?:rmation)?| details)?|system info(?:rmation)?(?: \(.{0,60}\))?|(?:software )?versions?(?: info(?:rmation)?)?|[\w .-]{0,40}\bversions?(?: \(.{0,40}\))?|hardware.{0,40}|issue type|bug type|have you reproduced.{0,80}|source|custom code|mobile device|os platform.{0,40}|operating system.{0,40}|what (?:operating system|version|browser|jax\/jaxlib version|accelerator).{0,80}|which accelerator.{0,60}|gpu model.{0,40}|who can help.{0,10}|information|tasks|(?:pre-?)?(?:submission )?checks?(?:list)?|prerequisites|before (?:submitting|asking|opening).{0,60}|i have (?:read|searched|checked).{0,120}|accelerate config|full environment.{0,40}|pip (?:list|freeze)|conda list|installed packages|nvidia-smi|code of conduct|contribution|are you willing to .{0,80}|priority|labels)\s?[:?*]{0,4}$/i;
/** Headings that forms put above what the reporter tells; the text below them counts, the heading says nothing. */
const FORM_HEADING =
  /^(?:describe (?:the|your) (?:bug|issue|problem|feature).{0,40}|bug(?: report| description)?|description|summary|current behaviou?r\??|expected (?:behaviou?r|results?|output)|actual (?:behaviou?r|results?|output)|what happen(?:s|ed)\??|how to run|what i expect(?:ed)?|what did you expect.{0,40}|(?:steps )?to reproduce.{0,60}|how to reproduce.{0,40}|how (?:can|do) we reproduce.{0,60}|steps(?: to reproduce)?.{0,40}|reproduction(?: script| steps)?|reproducible example|minimal (?:reproducible |working )?example|standalone code.{0,60}|code (?:example|sample|to reproduce).{0,40}|relevant log output|error (?:messages?|logs?).{0,40}|(?:full )?(?:traceback|stack ?trace|logs?)|other info.{0,40}|additional (?:context|info(?:rmation)?|notes)|more info|screenshots?|possible (?:solution|fix)|context|alternatives|motivation|pitch|feature)\s?[:?*]{0,4}$/i;

/** A package or tool with its version or the lack of one, as environment collectors and forms ask for. */
const VERSION_LINE =
  /^[-*•]?\s*`?(?:PyTorch|torch|torchvision|torchaudio|torchmetrics|functorch|triton|xformers|TensorFlow|tensorflow-\w{1,20}|Keras|JAX|jaxlib|Flax|Optax|NumPy|SciPy|Pandas|CuPy|Accelerate|Transformers|Diffusers|Datasets|PEFT|TRL|Safetensors|Tokenizers|Huggingface[_-]hub|DeepSpeed|bitsandbytes|PyTorch[- ]Lightning|Lightning|Ignite|fastai|OS|Kernel|Platform|Python|Bazel|GCC|Clang|CMake|Libc|CUDA|cuDNN|NCCL|ROCm|MPI|Docker|Conda|Pip|Model|Memory|RAM|VRAM|GPUs?|CPUs?|TPUs?|GPU count|Number of GPUs?|Using GPU in script\??|Using distributed or parallel set-?up in script\??)`?(?: \([^)\n]{0,90}\))?(?: versions?)?\??(?: \([^)\n]{0,90}\))?\s?[:=]\s*(?:v?\d|not installed|none\b|n\/a|nightly|latest|yes\b|no\b|true\b|false\b|<fill|Linux|Windows|macOS|Darwin|Ubuntu|Debian|CentOS|x86|NVIDIA|Tesla|GeForce|RTX|A100|V100|$)/i;
/** Keys of the collectors of PyTorch, Hugging Face, Lightning and TensorFlow, whatever their value is. */
const COLLECTED_LINE =
  /^[-*•]?\s*`?(?:Is (?:debug build|CUDA available|XNNPACK available)|(?:CUDA|ROCM) used to build|(?:GCC|Clang|CMake|Libc|Nvidia driver|cuDNN|MIOpen|HIP|CUDA) (?:runtime )?version|Python platform|CUDA_MODULE_LOADING|GPU models? and|GPU model and memory|CUDA\/cuDNN version|Architecture|CPU (?:op-mode|family|max MHz|min MHz|\(s\))|CPU\(s\)|On-line CPU|Vendor ID|Model name|Thread\(s\) per|Core\(s\) per|Socket\(s\)|Stepping|BogoMIPS|Byte Order|Address sizes|Virtualization|Hypervisor|Flags|Vulnerability |L\d[di]? cache|NUMA node|Versions of relevant|Have I written custom|OS platform and distribution|Mobile device|TensorFlow (?:installed from|version)|Bazel version|Exact command to reproduce|compute_environment|distributed_type|mixed_precision|use_cpu|num_processes|machine_rank|num_machines|gpu_ids|rdzv_backend|same_network|main_training_function|downcast_bf16|tpu_\w{1,30}|enable_cpu_affinity|PyTorch (?:XPU|NPU|MLU|SDAA|MUSA|RDMA|HPU|version)|System RAM|GPU type|How you installed|Running (?:environment|in)|process_count|device info|jax\.(?:devices|local_devices))[^:\n]{0,90}:/i;
/** Lines that issue forms and tools put into every report. */
const BOILERPLATE = [
  VERSION_LINE,
  COLLECTED_LINE,
  /^[-*] \[[ xX]?\]/,
  /^(?:\[(?:pip3?|conda)\]|#{3,}$|<\/?details>|cc:? @)/i,
  /^(?:@[\w-]{1,40}[\s,]{0,5}){1,20}$/,
  /^(?:Collecting environment information|Copy-and-paste the text below|(?:You can|Please) (?:collect|run|copy|fill|provide|include|paste|add) .{0,200}(?:script|command|form|below|above|issue|template)|To get (?:your|the) (?:version|environment)|_?no response_?$)/i,
  // A requirement, a row of `pip list` or `conda list`, a row of nvidia-smi, a progress bar.
  /^[-*•]?\s*[A-Za-z][\w.-]{0,60} ?(?:[=~<>]=|@ file:) ?[\w.+!*/:-]{1,120}$/,
  /^[A-Za-z][\w.-]{0,60} {2,40}v?\d[\w.+!-]{0,40}(?: {2,40}\S{1,60}){0,2}$/,
  /^[+|][-=+|\s]{3,400}$|^\|.{0,300}\b(?:MiB|NVIDIA-SMI|GPU-Util|Persistence-M|Bus-Id|Driver Version|Process name|MIG M)\b/,
  /\b\d{1,3}%\s?\|/,
];

const PYTHON_FRAME = /^\s*File "([^"\n]{1,500})", line \d+/;
/** Frames of IPython and of pytest name the file first. */
const OTHER_FRAME = /^\s*(?:File )?([^\s:"']{1,400}\.py[wx]?)(?::\d{1,7}(?:,|:)? in |(?: in |, in ))/;
const LIBRARY_PATH = /(?:site|dist)-packages[\\/]|[\\/]lib(?:64)?[\\/]python\d|[\\/]Python\d{2,3}[\\/]lib[\\/]|^<frozen/i;
const NATIVE_FRAME = /^\s*(?:frame )?#\d{1,4}:?\s+(?:0x[0-9a-f]{4,16}|<unknown|\w[\w:<>~]{0,200}[ (+])/i;
/** What follows the head of a frame: its line of code, marks below it, numbered lines around it. */
const FRAME_CODE = /^(?: {2,}\S|\s*-*>?\s*\d{1,6}\s|\s*[\^~]+\s*$)/;

interface Reading {
  /** Below a heading for versions and check marks. */
  inEnvironment: boolean;
  /** The fence that is open; empty outside of code. */
  fence: string;
  inLibraryFrame: boolean;
  /** Lines that came already, without their numbers: a log says the same thing a thousand times. */
  seen: Set<string>;
}

/**
 * What the reporter tells: the report without comments and headings of forms, environment sections and dumps, frames of libraries with
 * their lines of code, links, folders of absolute paths, numbers and addresses, each line once. Linear in its length, which is cut at
 * 100,000 characters.
 */
export function meaningfulLines(body: string): string {
  const reading: Reading = { inEnvironment: false, fence: '', inLibraryFrame: false, seen: new Set() };
  const kept: string[] = [];
  for (const line of dropComments(body.slice(0, LONGEST_BODY)).split('\n')) {
    const told = readLine(reading, line.slice(0, LONGEST_LINE));
    const masked = told === null ? '' : maskVariables(told).trimEnd();
    const key = masked.trim();
    if (key === '' || reading.seen.has(key)) continue;
    reading.seen.add(key);
    kept.push(masked);
  }
  return kept.join('\n');
}

/** Text without what differs from run to run and from machine to machine: links, folders, addresses, hashes, numbers. */
export function maskVariables(text: string): string {
  return text
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/(?<![\w.])(?:[A-Za-z]:)?(?:[\\/][\w.@~+-]{1,100}){3,30}/g, lastTwo)
    .replace(/\b0x[0-9a-fA-F]{2,32}\b|\b(?=[0-9]{0,40}[a-f])(?=[a-f]{0,40}[0-9])[0-9a-f]{12,64}\b/g, ' ')
    .replace(/(?<!\w)\d{1,40}(?:[.,_]\d{1,40}){0,8}(?:e[+-]?\d{1,4})?(?!\w)/gi, ' ');
}

function lastTwo(path: string): string {
  return path.split(/[\\/]/).slice(-2).join('/');
}

/** The line, or what of it is told; null where nothing is. */
function readLine(reading: Reading, line: string): string | null {
  const fence = /^\s{0,8}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
  if (fence !== '') {
    if (reading.fence === '') reading.fence = fence;
    else if (fence.startsWith(reading.fence)) reading.fence = '';
    return null;
  }
  const text = reading.fence === '' ? readHeading(reading, line) : line;
  if (text === null || isLibraryFrame(reading, text)) return null;
  if (reading.inEnvironment && (reading.fence !== '' || !isSentence(text))) return null;
  const trimmed = text.trim();
  return BOILERPLATE.some((pattern) => pattern.test(trimmed)) ? null : text;
}

/** Reads a heading, a line in bold, a bold label or a summary, which open a section; a label's text stays. */
function readHeading(reading: Reading, line: string): string | null {
  const title = /^\s{0,3}#{1,6}\s+(.{1,200}?)[\s#]{0,20}$/.exec(line)?.[1] ?? /<summary>(.{1,200}?)<\/summary>/.exec(line)?.[1];
  const label = title === undefined ? /^\s{0,3}\*\*([^*\n]{1,100})\*\*\s?[:.]?(.{0,2000})$/.exec(line) : null;
  const words = (title ?? label?.[1] ?? '')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/<[^>]{1,40}>|[*_`]/g, '')
    .trim();
  if (words === '') return line;
  const rest = label?.[2]?.trim() ?? '';
  reading.inEnvironment = ENVIRONMENT_HEADING.test(words);
  if (reading.inEnvironment || FORM_HEADING.test(words)) return rest === '' ? null : rest;
  return line;
}

function isSentence(text: string): boolean {
  if (/^\s*[-*•]?\s*[\w .()/-]{1,60}:\s/.test(text)) return false;
  return (text.match(/\p{L}{2,}/gu) ?? []).length >= SENTENCE_WORDS;
}

function isLibraryFrame(reading: Reading, text: string): boolean {
  const file = PYTHON_FRAME.exec(text)?.[1] ?? OTHER_FRAME.exec(text)?.[1];
  if (file !== undefined) reading.inLibraryFrame = LIBRARY_PATH.test(file);
  else if (NATIVE_FRAME.test(text)) return true;
  else if (reading.inLibraryFrame) reading.inLibraryFrame = FRAME_CODE.test(text);
  return reading.inLibraryFrame;
}

function dropComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', start);
    if (end < 0) break;
    kept.push(text.slice(from, start));
    from = end + 3;
  }
  kept.push(text.slice(from));
  return kept.join(' ');
}
