import { z } from 'zod';
import { Distribution } from './environment.js';
import { Frame, Scalar } from './common.js';

/**
 * One append-only JSONL stream per trial, `evidence.jsonl`, written by the supervisor alone: it copies what the probe
 * claims into the same stream, marked `source: "probe"`. The last line is the `end` record.
 */
const base = {
  /** Sequence number from 0 without gaps. */
  seq: z.int().min(0),
  /** Seconds since the trial began, monotonic. */
  t: z.number(),
  source: z.enum(['supervisor', 'probe', 'script']),
  /** Process id as seen inside the sandbox; absent for records about the whole trial. */
  pid: z.int().optional(),
  rank: z.int().optional(),
  /** Index of the launch step. */
  step: z.int().optional(),
};

export const BeginRecord = z.object({
  ...base,
  kind: z.literal('begin'),
  protocol: z.literal(1),
  /** What kept the trial apart: namespaces of the supervisor's making, the pod it ran in, or nothing. */
  sandbox: z.enum(['namespaces', 'pod', 'none']),
  /** What the isolation consists of, such as `user`, `mount`, `pid`, `network`, `uid=65534`, `no-new-privileges`. */
  isolation: z.array(z.string()),
  kernel: z.string(),
  cpus: z.number(),
  /** Busy processes per processor that ran beside the trial; absent = none. */
  load: z.int().optional(),
});
export const EnvironmentRecord = z.object({
  ...base,
  kind: z.literal('environment'),
  python: z.string(),
  platform: z.string(),
  distributions: z.array(Distribution),
});
/** A process of the trial began: first-level ones by the supervisor, interpreters below by the probe. */
export const ProcessRecord = z.object({
  ...base,
  kind: z.literal('process'),
  parent: z.int().optional(),
  argv: z.array(z.string()),
});
export const StreamRecord = z.object({
  ...base,
  kind: z.literal('stream'),
  channel: z.enum(['stdout', 'stderr']),
  /** One line without its end; bytes that are not UTF-8 are replaced. */
  line: z.string(),
  /** True where the line had no end of line when the process ended, or was cut at the line limit. */
  partial: z.boolean().optional(),
});
export const ObservationRecord = z.object({
  ...base,
  kind: z.literal('obs'),
  /** All `name=value` pairs of one OBS line. Lists are kept as lists; unquoted text as a string. */
  values: z.record(z.string(), z.union([Scalar, z.array(z.unknown()), z.record(z.string(), z.unknown())])),
});
export const ExceptionRecord = z.object({
  ...base,
  kind: z.literal('exception'),
  /** Fully qualified type, such as `builtins.IndexError` or `torch.OutOfMemoryError`, and its bases' plain names. */
  type: z.string(),
  bases: z.array(z.string()),
  message: z.string(),
  notes: z.array(z.string()),
  /** Outermost first. */
  frames: z.array(Frame),
  /** Chain from this one to its causes. */
  causes: z.array(z.object({ type: z.string(), message: z.string(), frames: z.array(Frame), link: z.enum(['cause', 'context']) })),
  /** `uncaught` ended a process or thread; `reported` was caught and printed by a launcher such as multiprocessing spawn. */
  how: z.enum(['uncaught', 'thread', 'child', 'reported']),
  /** Where it was raised: the place of the innermost frame. */
  raisedIn: z.enum(['subject', 'dependency', 'script', 'standard-library', 'other']),
});
export const WarningRecord = z.object({ ...base, kind: z.literal('warning'), category: z.string(), message: z.string(), frame: Frame });
export const SampleRecord = z.object({
  ...base,
  kind: z.literal('sample'),
  /** Sum over the trial's processes. */
  rssBytes: z.int(),
  cpuSeconds: z.number(),
  processes: z.int(),
  threads: z.int(),
});
/** A dump of all Python threads of one process; `signature` is equal for equal stacks. */
export const StackRecord = z.object({
  ...base,
  kind: z.literal('stack'),
  number: z.int(),
  signature: z.string(),
  threads: z.array(z.object({ name: z.string(), frames: z.array(Frame) })),
});
/** A fatal signal hit a process, as the interpreter's fault handler tells: a claim of the process, no record of its end. */
export const CrashRecord = z.object({
  ...base,
  kind: z.literal('crash'),
  /** The fault handler's own words: `Segmentation fault`, `Aborted`. */
  reason: z.string(),
  /** Of the thread that the signal hit, outermost first; empty where it ran no Python code. */
  frames: z.array(Frame),
});
/** A process was silent and blocked for as long as hang detection asks. */
export const StallRecord = z.object({
  ...base,
  kind: z.literal('stall'),
  silentSeconds: z.number(),
  /** Processes that were blocked at one place over two dumps, and those that were elsewhere or had ended. */
  blocked: z.array(z.object({ pid: z.int(), rank: z.int().optional(), signature: z.string(), at: Frame.nullable() })),
  elsewhere: z.array(z.object({ pid: z.int(), rank: z.int().optional(), state: z.string() })),
});
export const ModuleRecord = z.object({
  ...base,
  kind: z.literal('modules'),
  /** Subject files whose code was loaded, relative to the subject, with the SHA-256 of the source that was loaded. */
  loaded: z.array(z.object({ file: z.string(), sha256: z.string() })),
});
export const CoverageRecord = z.object({
  ...base,
  kind: z.literal('coverage'),
  /** `functions`: qualified names of the functions that were entered, such as `Net.forward`. */
  files: z.array(z.object({ file: z.string(), lines: z.array(z.int()), functions: z.array(z.string()).optional() })),
});
/** The first NaN or infinity in the output of a torch module or in its gradient; only diagnostic trials look for it. */
export const NumericRecord = z.object({
  ...base,
  kind: z.literal('numeric'),
  /** Name inside the outermost running module, such as `encoder.norm`; empty for that one itself. */
  module: z.string().max(200),
  class: z.string().max(200),
  /** Where the class is written. */
  place: z.enum(['subject', 'dependency', 'script', 'standard-library', 'other']),
  /** Which forward call of this module in this process, from 1. */
  call: z.int(),
  direction: z.enum(['forward', 'backward']),
  what: z.enum(['nan', 'inf']),
  shape: z.array(z.int().min(0)).max(16),
  dtype: z.string().max(200),
  /** Absent where nothing tells: gradients, and modules that overwrite their input. */
  inputsFinite: z.boolean().optional(),
  parametersFinite: z.boolean().optional(),
});
/** One call of torch.distributed; only trials that ask for them have these records. */
export const CollectiveRecord = z.object({
  ...base,
  kind: z.literal('collective'),
  /** Name of the function, such as `all_reduce`. */
  op: z.string().max(64),
  /** Which call of this process in this group, from 1; collectives and calls between two ranks are counted apart. */
  number: z.int().min(1),
  /** `world`, or the name that torch gave to the group on all its ranks. */
  group: z.string().max(64),
  size: z.int().min(0),
  /** Global ranks of the group, the first 64 of them. */
  members: z.array(z.int().min(0)).max(64),
  pointToPoint: z.boolean(),
  /** Of the tensor that all ranks give alike; absent where there is none or where they may differ. */
  shape: z.array(z.int().min(0)).max(16).optional(),
  dtype: z.string().max(64).optional(),
  /** The rank that sends to or receives from all others. */
  root: z.int().optional(),
  peer: z.int().optional(),
  reduction: z.string().max(64).optional(),
  /** Innermost frame of subject or script. */
  at: Frame.optional(),
});
/** Hashes of what one optimiser updates, after some of its updates; only trials that ask for them have these records. */
export const ParametersRecord = z.object({
  ...base,
  kind: z.literal('parameters'),
  /** Which optimiser of this process, from 0 in the order of their first updates, and the name of its class. */
  optimizer: z.int().min(0),
  class: z.string().max(200),
  /** How many updates it had made. */
  update: z.int().min(1),
  /** All tensors that it updates, of which the first 512 are listed. */
  count: z.int().min(0),
  entries: z
    .array(
      z.object({
        name: z.string().max(200),
        /** First 16 hex digits of the SHA-256 over the bytes; empty for tensors that cannot be read, such as shards. */
        sha256: z.string().max(64),
      }),
    )
    .max(512),
});
/** Rows that one pass of a loader of torch has asked for so far; only trials that ask for them have these records. */
export const RowsRecord = z.object({
  ...base,
  kind: z.literal('rows'),
  /** Which loader of this process and which of its passes, both from 0. */
  loader: z.int().min(0),
  epoch: z.int().min(0),
  count: z.int().min(1),
  /** The first 1,024 of them, in their order. */
  first: z.array(z.int()).max(1024),
  /** First 16 hex digits of a hash over all of them in their batches. */
  sha256: z.string().max(64),
});
/** What one call of a torch module put out; only diagnostic trials have these records, and of each process the first 2,000. */
export const ActivationRecord = z.object({
  ...base,
  kind: z.literal('activation'),
  /** Name inside the outermost running module; empty for that one itself. */
  module: z.string().max(200),
  class: z.string().max(200),
  /** Which call of this module, from 1. */
  call: z.int().min(1),
  /** Of the first tensor of the output. */
  shape: z.array(z.int().min(0)).max(16),
  dtype: z.string().max(200),
  /** First 16 hex digits of the SHA-256 over its bytes. */
  sha256: z.string().max(64),
  /** Root of the sum of squares, in double precision; absent where it is not finite. */
  norm: z.number().optional(),
});
/** What torch's CUDA allocator of one process held on one device at one moment; only trials that ask for it have these records. */
export const AllocatorRecord = z.object({
  ...base,
  kind: z.literal('allocator'),
  /** Index of the device as the process sees it. */
  device: z.int().min(0),
  allocatedBytes: z.int().min(0),
  reservedBytes: z.int().min(0),
  /** Most that was allocated so far. */
  peakBytes: z.int().min(0),
});
/** Names, kinds and sizes of local values in the frames of the exception before it; never the values. Diagnostic trials only. */
export const LocalsRecord = z.object({
  ...base,
  kind: z.literal('locals'),
  /** Type of the exception. */
  type: z.string().max(200),
  /** Outermost first. */
  frames: z
    .array(
      z.object({
        file: z.string(),
        line: z.int(),
        function: z.string(),
        place: z.enum(['subject', 'dependency', 'script', 'standard-library', 'other']),
        values: z
          .array(
            z.object({
              name: z.string().max(64),
              type: z.string().max(64),
              /** Tensors and arrays only. */
              shape: z.array(z.int().min(0)).max(16).optional(),
              dtype: z.string().max(64).optional(),
              device: z.string().max(64).optional(),
              /** Containers and texts only. */
              length: z.int().min(0).optional(),
            }),
          )
          .max(24),
      }),
    )
    .max(24),
});
/** A change to files of the subject that were there before the trial. New files are no finding. */
export const SubjectRecord = z.object({
  ...base,
  kind: z.literal('subject'),
  when: z.enum(['before', 'during', 'after']),
  treeHash: z.string(),
  changed: z.array(z.string()),
});
/** A watched file after the last step. Its content is what the trial's code wrote, which may be anybody's: it is data, not testimony. */
export const FileRecord = z.object({
  ...base,
  kind: z.literal('file'),
  /** As the launch asks for it. */
  path: z.string(),
  state: z.enum(['absent', 'regular', 'directory', 'link', 'other', 'unreadable']),
  /** Beside what the subject's copy held before the trial. */
  origin: z.enum(['new', 'changed', 'same']),
  sizeBytes: z.int().min(0),
  /** Null where there is no content, or more than 512 MiB. */
  sha256: z.string().nullable(),
  format: z.enum(['text', 'json', 'safetensors', 'npz', 'torch', 'zip', 'binary']).nullable(),
  /** Top-level keys of JSON, tensors of safetensors, arrays of npz, entries of other archives; null = of none of these forms. */
  keys: z.array(z.string()).nullable(),
  keysCut: z.boolean(),
  /** First 64 KiB of a text. */
  head: z.string().nullable(),
  headCut: z.boolean(),
});
/** The network was asked for and refused, or something like it that an integrity rule wants to know. */
export const NoticeRecord = z.object({ ...base, kind: z.literal('notice'), code: z.string(), message: z.string() });
export const ExitRecord = z.object({
  ...base,
  kind: z.literal('exit'),
  code: z.int().nullable(),
  signal: z.string().nullable(),
  wallSeconds: z.number(),
  cpuSeconds: z.number(),
  peakRssBytes: z.int(),
  /** Who ended it. */
  endedBy: z.enum(['self', 'wall-limit', 'memory-limit', 'process-limit', 'output-limit', 'disk-limit', 'hang', 'peer', 'cancel']),
});
export const EndRecord = z.object({
  ...base,
  kind: z.literal('end'),
  records: z.int(),
  /** SHA-256 over all bytes of the stream before this line, hex. */
  sha256: z.string(),
  /** Processes that had to be killed after the last step ended. */
  leftBehind: z.int(),
});

export const EvidenceRecord = z.discriminatedUnion('kind', [
  BeginRecord,
  EnvironmentRecord,
  ProcessRecord,
  StreamRecord,
  ObservationRecord,
  ExceptionRecord,
  WarningRecord,
  SampleRecord,
  StackRecord,
  CrashRecord,
  StallRecord,
  ModuleRecord,
  CoverageRecord,
  NumericRecord,
  CollectiveRecord,
  LocalsRecord,
  ParametersRecord,
  RowsRecord,
  AllocatorRecord,
  ActivationRecord,
  SubjectRecord,
  FileRecord,
  NoticeRecord,
  ExitRecord,
  EndRecord,
]);
export type EvidenceRecord = z.infer<typeof EvidenceRecord>;
export type EvidenceOf<K extends EvidenceRecord['kind']> = Extract<EvidenceRecord, { kind: K }>;
