import type { EvidenceOf, EvidenceRecord, Frame } from '@reenact/domain';

/** A record without what the builder fills in: sequence, time and source. */
type Loose<K extends EvidenceRecord['kind']> = Partial<EvidenceOf<K>>;

/** Writes evidence as supervisor and probe would, record by record. Times grow by 10 ms a record. */
export interface EvidenceBuilder {
  stdout(line: string, extra?: Loose<'stream'>): EvidenceBuilder;
  stderr(line: string, extra?: Loose<'stream'>): EvidenceBuilder;
  /** The line and the observation that the supervisor reads from it. */
  obs(values: EvidenceOf<'obs'>['values'], extra?: Loose<'obs'>): EvidenceBuilder;
  process(pid: number, parent?: number, argv?: string[]): EvidenceBuilder;
  exception(extra: Loose<'exception'>): EvidenceBuilder;
  warning(extra: Loose<'warning'>): EvidenceBuilder;
  modules(...files: string[]): EvidenceBuilder;
  notice(code: string, message: string): EvidenceBuilder;
  stack(pid: number, threads: Frame[][], signature?: string): EvidenceBuilder;
  /** What the fault handler of a process left: frames outermost first. */
  crash(reason: string, frames: Frame[], extra?: Loose<'crash'>): EvidenceBuilder;
  stall(extra: Loose<'stall'>): EvidenceBuilder;
  /** A call of torch.distributed in the subject, by a process of its own for each rank (its pid is 20 + rank). */
  collective(rank: number, op: string, extra?: Loose<'collective'>): EvidenceBuilder;
  /** Hashes by name of what a rank's first optimiser has after this update. */
  parameters(rank: number, update: number, hashes: Record<string, string>, extra?: Loose<'parameters'>): EvidenceBuilder;
  /** Rows that a rank's first loader has asked for in its first pass. */
  rows(rank: number, first: number[], extra?: Loose<'rows'>): EvidenceBuilder;
  /** A watched file: new, regular and empty unless it says otherwise. */
  file(path: string, extra?: Loose<'file'>): EvidenceBuilder;
  /** One look of the supervisor at memory and processes. */
  sample(rssBytes: number, extra?: Loose<'sample'>): EvidenceBuilder;
  exit(code: number | null, extra?: Loose<'exit'>): EvidenceBuilder;
  build(): EvidenceRecord[];
}

/** Process id of the first-level process unless a record says otherwise. */
export const SCRIPT_PID = 10;

const EMPTY_FILE: Loose<'file'> = {
  state: 'regular',
  origin: 'new',
  sizeBytes: 0,
  sha256: '0'.repeat(64),
  format: 'binary',
  keys: null,
  keysCut: false,
  head: null,
  headCut: false,
};

/** A frame of the script, the subject or a dependency. */
export function frame(place: NonNullable<Frame['place']>, file: string, name: string, code?: string): Frame {
  return { file, function: name, line: 1, place, ...(code === undefined ? {} : { code }) };
}

const WORLD_CALL: Loose<'collective'> = {
  number: 1,
  group: 'world',
  size: 2,
  members: [0, 1],
  pointToPoint: false,
  at: { file: 'train.py', line: 7, function: 'step', place: 'subject' },
};

/** Each rank is a process of its own in the first step of the launch. */
function ofRank(rank: number): { pid: number; rank: number; step: number } {
  return { pid: 20 + rank, rank, step: 0 };
}

/** Begins the evidence of one trial. */
export function createEvidence(): EvidenceBuilder {
  const records: EvidenceRecord[] = [];
  const add = (kind: EvidenceRecord['kind'], source: EvidenceRecord['source'], fields: object): EvidenceBuilder => {
    const seq = records.length;
    records.push({ seq, t: seq / 100, source, pid: SCRIPT_PID, kind, ...fields } as EvidenceRecord);
    return builder;
  };
  const builder: EvidenceBuilder = {
    stdout: (line, extra = {}) => add('stream', 'supervisor', { channel: 'stdout', line, ...extra }),
    stderr: (line, extra = {}) => add('stream', 'supervisor', { channel: 'stderr', line, ...extra }),
    obs: (values, extra = {}) => add('obs', 'script', { values, ...extra }),
    process: (pid, parent = 1, argv = ['python']) => add('process', 'probe', { pid, parent, argv }),
    exception: (extra) =>
      add('exception', 'probe', {
        type: 'builtins.ValueError',
        bases: [],
        message: '',
        notes: [],
        frames: [],
        causes: [],
        how: 'uncaught',
        raisedIn: 'subject',
        ...extra,
      }),
    warning: (extra) =>
      add('warning', 'probe', { category: 'UserWarning', message: '', frame: frame('subject', 'train.py', 'train'), ...extra }),
    modules: (...files) => add('modules', 'probe', { loaded: files.map((file) => ({ file, sha256: '0'.repeat(64) })) }),
    notice: (code, message) => add('notice', 'probe', { code, message }),
    stack: (pid, threads, signature = 'same') =>
      add('stack', 'supervisor', {
        pid,
        number: 1,
        signature,
        threads: threads.map((frames, index) => ({ name: index === 0 ? 'MainThread' : `Thread-${index}`, frames })),
      }),
    crash: (reason, frames, extra = {}) => add('crash', 'probe', { reason, frames, ...extra }),
    stall: (extra) => add('stall', 'supervisor', { silentSeconds: 20, blocked: [], elsewhere: [], ...extra }),
    collective: (rank, op, extra = {}) => add('collective', 'probe', { ...ofRank(rank), ...WORLD_CALL, op, ...extra }),
    parameters: (rank, update, hashes, extra = {}) => {
      const entries = Object.entries(hashes).map(([name, sha256]) => ({ name, sha256 }));
      const whole = { optimizer: 0, class: 'SGD', update, count: entries.length, entries };
      return add('parameters', 'probe', { ...ofRank(rank), ...whole, ...extra });
    },
    rows: (rank, first, extra = {}) => {
      const whole = { loader: 0, epoch: 0, count: first.length, first, sha256: JSON.stringify(first).slice(0, 64) };
      return add('rows', 'probe', { ...ofRank(rank), ...whole, ...extra });
    },
    file: (path, extra = {}) => add('file', 'supervisor', { pid: undefined, path, ...EMPTY_FILE, ...extra }),
    sample: (rssBytes, extra = {}) =>
      add('sample', 'supervisor', { pid: undefined, rssBytes, cpuSeconds: 1, processes: 1, threads: 1, ...extra }),
    exit: (code, extra = {}) =>
      add('exit', 'supervisor', { code, signal: null, wallSeconds: 1, cpuSeconds: 1, peakRssBytes: 1, endedBy: 'self', step: 0, ...extra }),
    build: () => [...records],
  };
  add('begin', 'supervisor', { protocol: 1, sandbox: 'namespaces', isolation: [], kernel: 'test', cpus: 1, pid: undefined });
  add('environment', 'supervisor', { python: '3.11.2', platform: 'linux', distributions: [], pid: undefined });
  return builder;
}

/** A trial that prints these lines on standard output, one record each. */
export function printedLines(...lines: string[]): EvidenceBuilder {
  return lines.reduce((records, line) => records.stdout(line), createEvidence());
}
