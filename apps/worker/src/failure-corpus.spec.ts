import { readdirSync, readFileSync } from 'node:fs';
import { claimFromReport } from '@reenact/authoring';
import type { EvidenceRecord, FacetState } from '@reenact/domain';
import { readReport } from '@reenact/report';
import { createEvidenceView, evaluateFacet } from '@reenact/verdict';
import { describe, expect, it } from 'vitest';

/**
 * Texts that real interpreters, launchers and libraries printed, as reports quote them, against evidence that supervisor
 * and probe recorded of the same programs: `<program>[-<form>].<environment>`. Texts of one program are claims of one
 * failure, whatever Python, paths, numbers and form; those of two programs are claims of two.
 */
const TEXTS = new URL('./fixtures/failure-texts/', import.meta.url);
const EVIDENCE = new URL('./fixtures/failure-evidence/', import.meta.url);

/** Programs that fail in one way: other forms of a run, a loader with and without workers, two ways of freeing twice. */
const KIN = [
  ['plain', 'cells', 'pytest'],
  ['loader_0', 'loader_w'],
  ['freetwice_b', 'freetwice_t'],
];
/** Reports that show only what other ranks saw of the failure: they claim no root, so no root can be theirs. */
const CONSEQUENCE_ONLY = ['dist_exit-merged.t113', 'dist_exit-run3.t26', 'dist_segv-merged.t113'];
/** Reports that tell of an end below Python by its signal alone: every end by that signal in the subject is a candidate. */
const SIGNAL_ONLY = ['dist_segv-run3.t26', 'spawn_segv.t113', 'spawn_segv.t26'];

function namesIn(folder: URL, ending: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length));
}

const programOf = (name: string): string => name.replace(/[.-].*$/, '');

function isKin(left: string, right: string): boolean {
  const [a, b] = [programOf(left), programOf(right)];
  return a === b || KIN.some((group) => group.includes(a) && group.includes(b));
}

function textOf(name: string): string {
  return readFileSync(new URL(`${name}.txt`, TEXTS), 'utf8');
}

function claimOf(text: string) {
  const report = readReport(new TextEncoder().encode(`# It fails\n\nThe run ends like this.\n\n\`\`\`\n${text}\n\`\`\`\n`));
  return claimFromReport(report).facets.filter((facet) => facet.stance === 'observed');
}

function viewOf(name: string) {
  const lines = readFileSync(new URL(`${name}.jsonl`, EVIDENCE), 'utf8')
    .trim()
    .split('\n');
  return createEvidenceView(lines.map((line) => JSON.parse(line) as EvidenceRecord));
}

/** One state for the whole claim: shown where every facet is, else that of the first that is not. */
function judge(facets: ReturnType<typeof claimOf>, view: ReturnType<typeof viewOf>): FacetState | 'no claim' {
  if (facets.length === 0) return 'no claim';
  return facets.map((facet) => evaluateFacet(facet, view).state).find((state) => state !== 'shown') ?? 'shown';
}

const claims = namesIn(TEXTS, '.txt').map((name) => ({ name, facets: claimOf(textOf(name)) }));
const trials = new Map(namesIn(EVIDENCE, '.jsonl').map((name) => [name, viewOf(name)]));

function shownIn(facets: ReturnType<typeof claimOf>): string[] {
  return [...trials].flatMap(([name, view]) => (judge(facets, view) === 'shown' ? [name] : []));
}

describe('a quoted text against evidence of every program', () => {
  it.each(claims.filter(({ name }) => !CONSEQUENCE_ONLY.includes(name) && !SIGNAL_ONLY.includes(name)))(
    '$name is shown by its own program and its kin, and by no other',
    ({ name, facets }) => {
      const own = [...trials.keys()].filter((trial) => isKin(name, trial));
      // A notebook's or pytest's form of a program that ran in another way is compared where frames allow it.
      expect(shownIn(facets).filter((trial) => !isKin(name, trial))).toEqual([]);
      expect(shownIn(facets).filter((trial) => programOf(trial) === programOf(name))).toEqual(
        own.filter((trial) => programOf(trial) === programOf(name)),
      );
    },
  );

  it.each(CONSEQUENCE_ONLY)('%s is shown by none: it tells of a lost peer, not of what the peer did', (name) => {
    expect(shownIn(claimOf(textOf(name)))).toEqual([]);
  });

  it.each(SIGNAL_ONLY)('%s is shown by ends with its signal alone', (name) => {
    const shown = shownIn(claimOf(textOf(name)));
    expect(shown).toEqual(expect.arrayContaining([...trials.keys()].filter((trial) => programOf(trial) === programOf(name))));
    expect(shown.filter((trial) => !/segv|^fault\./.test(trial))).toEqual([]);
  });

  it('compares enough of both', () => {
    const own = claims.reduce(
      (sum, { name }) => sum + [...trials.keys()].filter((trial) => programOf(trial) === programOf(name)).length,
      0,
    );
    expect(own).toBeGreaterThan(180);
    expect(claims.length * trials.size - own).toBeGreaterThan(7_000);
  });
});

/** A text with something changed in it, and the evidence of its program. */
type Edit = [text: string, from: string | RegExp, to: string, trial: string];

/** What differs from machine to machine, run to run and version to version. */
const SAME: Edit[] = [
  ['plain.py38', /\/home\/ada\/click\//g, 'C:\\Users\\ada\\click\\', 'plain.py313'],
  ['plain.py311', /\/home\/ada\/click\//g, '/mnt/nfs/job-4711/code/', 'plain.py37'],
  ['plain.py313', /line \d+/g, 'line 400', 'plain.py39'],
  ['plain.py27', /^/gm, '[rank1]: ', 'plain.py313'],
  ['plain.py38', /^/gm, '[1,0]<stderr>: ', 'plain.py313'],
  ['plain.py38', /^/gm, '(train pid=4711, ip=10.0.0.7) ', 'plain.py313'],
  ['plain.py38', /^/gm, '2024-05-01 10:11:12,345 - ERROR - ', 'plain.py313'],
  ['plain.py311', /^/gm, '> ', 'plain.py313'],
  ['carets.py311', /^.*\^.*\n/gm, '', 'carets.py313'],
  ['group.py311', 'bad shard 1', 'bad shard 7', 'group.py313'],
  ['note.py311', 'step 12 of epoch 3', 'step 812 of epoch 4', 'note.py313'],
  ['note.py311', '-0.25', '-1.5e-03', 'note.py313'],
  ['recurse.py310', /repeated \d+ more times/, 'repeated 962 more times', 'recurse.py313'],
  ['recurse.py36', 'maximum recursion depth exceeded', 'maximum recursion depth exceeded while calling a Python object', 'recurse.py313'],
  ['plain.py38', /^/gm, '2024-05-01 10:11:12,345 - trainer.loop - ERROR - ', 'plain.py313'],
  ['thread.py38', 'Thread-1', 'Thread-37', 'thread.py313'],
  ['thread.py38', 'OSError', 'IOError', 'thread.py313'],
  ['syntax.py310', /line 1\b/g, 'line 88', 'syntax.py38'],
  ['shapes.t113', '4x7 and 8x2', '512x700 and 640x10', 'shapes.t26'],
  ['state.t113', 'torch.Size([5, 3])', 'torch.Size([512, 30])', 'state.t26'],
  ['state_missing.t113', '"1.weight", "1.bias"', '"11.weight", "11.bias"', 'state_missing.t26'],
  ['loader_w.t113', 'worker process 0', 'worker process 13', 'loader_w.t26'],
  ['loader_segv.t113', /\d{5}/g, '7', 'loader_segv.t26'],
  ['spawn.t113', '-- Process 1', '-- Process 3', 'spawn.t26'],
  ['spawn.t113', '1x4 and 3x5', '64x40 and 30x50', 'spawn.t26'],
  ['dist-run3.t26', /\[rank1\]/g, '[rank5]', 'dist-ranks.t113'],
  ['dist_shape-run3.t26', '(4) must match', '(400) must match', 'dist_shape-ranks.t113'],
  ['fault.py36', /0x[0-9a-f]+/g, '0x00007ffff7d8a740', 'fault.py312'],
  ['fault.py39', /\/home\/ada\/click\//g, '/workspace/', 'fault.py38'],
  [
    'fault.py313',
    /$/,
    '\nExtension modules: numpy.core._multiarray_umath, torch._C (total: 2)\nSegmentation fault (core dumped)\n',
    'fault.py38',
  ],
  [
    'fault.py313',
    'Current thread 0x',
    'Thread 0x00007f1 (most recent call first):\n  File "/usr/lib/python3.13/threading.py", line 359 in wait\n\nCurrent thread 0x',
    'fault.py312',
  ],
  ['fault_abort.py312', /$/, '\nAborted (core dumped)\n', 'fault_abort.py38'],
  ['freebad.py38', /^/, "*** Error in `python': ", 'freebad.py312'],
  [
    'freebad.py38',
    'double free or corruption (out)',
    "*** Error in `python3.6': double free or corruption (out): 0x00007f00deadbeef ***",
    'freebad.py312',
  ],
  ['freebad.py38', /$/, 'bash: line 1: 4711 Aborted                 (core dumped) python train.py\n', 'freebad.py312'],
  ['freetwice_b.py310', '(!prev)', '(fasttop)', 'freetwice_b.py38'],
  ['freetwice_t.py39', 'free(): double free detected in tcache 2', 'double free or corruption (fasttop)', 'freetwice_t.py312'],
  ['overwrite.py311', 'free(): invalid next size (normal)', 'malloc(): corrupted top size', 'overwrite.py312'],
  ['cpp_check.py312', 'fatal.cpp:6', '/build/src/fatal.cpp:61', 'cpp_check.py38'],
  ['fatalerr.py27', /$/, 'Aborted (core dumped)\n', 'fatalerr.py312'],
  ['fatalerr.py36', 'tracker state is gone', 'go: tracker state is gone', 'fatalerr.py38'],
  ['jax_scan2-remove_frames.tf', /-{20}/, '-'.repeat(30), 'jax_scan2.tf'],
  ['keras_call.tf', 'are 4 and 5', 'are 40 and 50', 'keras_call.tf'],
  [
    'keras_call.tf',
    'Exception encountered when calling Mix.call().',
    'Exception encountered when calling layer "mix" (type Mix).',
    'keras_call.tf',
  ],
  ['tf_graph.tf', /__inference_mix_9/, '__inference_mix_412', 'tf_graph.tf'],
  ['tf_func.tf', /filea7876t2p/g, 'filezz91_q8x', 'tf_func.tf'],
];

/** What makes another failure of it. */
const OTHER: Edit[] = [
  ['plain.py38', 'IndexError: list', 'IndexError: tuple', 'plain.py313'],
  ['plain.py38', 'IndexError', 'KeyError', 'plain.py313'],
  ['plain.py38', /in (?:batch|main|pick)$/gm, 'in other', 'plain.py313'],
  ['plain.py38', /(?:plain|feed)\.py/g, 'other.py', 'plain.py313'],
  ['chain.py310', "with base 10: 'x'", "with base 16: 'x'", 'plain.py313'],
  ['chain.py310', 'ValueError: invalid literal for int()', 'ValueError: could not convert string to float', 'chain.py313'],
  ['suppress.py38', 'RuntimeError: cannot load weights', 'RuntimeError: cannot save weights', 'suppress.py313'],
  ['note.py311', /loss is negative/g, 'loss is not finite', 'note.py313'],
  ['group.py311', 'ValueError: bad shard', 'ValueError: empty shard', 'group.py313'],
  ['group.py311', "KeyError: 'missing'", "KeyError: 'present'", 'group.py313'],
  ['syntax.py310', 'SyntaxError: invalid syntax', 'SyntaxError: unexpected EOF while parsing', 'syntax.py313'],
  ['syntax.py310', 'SyntaxError: invalid syntax', 'IndentationError: unexpected indent', 'syntax.py313'],
  ['recurse.py310', 'RecursionError: maximum recursion depth exceeded', 'RecursionError: Stack overflow (used 8000 kB)', 'recurse.py313'],
  ['pool.py312', /two is bad/g, 'three is bad', 'pool.py313'],
  ['futures.py312', /two is bad/g, 'two is missing', 'futures.py313'],
  ['carets.py313', 'not subscriptable', 'not iterable', 'carets.py38'],
  ['thread.py38', /disk full/g, 'disk gone', 'thread.py313'],
  ['shapes.t113', '4x7 and 8x2', '4x7x1 and 8x2', 'shapes.t26'],
  ['shapes.t113', 'mat1 and mat2 shapes cannot be multiplied (4x7 and 8x2)', 'expected scalar type Float but found Half', 'shapes.t26'],
  ['state.t113', 'shape torch.Size([5, 3])', 'shape torch.Size([5, 3, 1, 1])', 'state.t26'],
  ['state.t113', /size mismatch for .*/, 'Missing key(s) in state_dict: "0.weight".', 'state.t26'],
  ['state_missing.t113', 'Missing key(s)', 'Unexpected key(s)', 'state_missing.t26'],
  ['state.t113', 'state_dict for Sequential', 'state_dict for Transformer', 'state_missing.t26'],
  ['loader_w.t113', /row 5 has 3 columns, expected 4/g, 'row 5 is empty', 'loader_w.t26'],
  ['loader_segv.t113', 'Segmentation fault', 'Bus error', 'loader_segv.t26'],
  ['loader_segv.t113', 'Segmentation fault', 'Killed', 'loader_segv.t113'],
  ['spawn.t113', '1x4 and 3x5', '1x4x2 and 3x5', 'spawn.t26'],
  ['spawn_segv.t26', 'SIGSEGV', 'SIGBUS', 'spawn_segv.t26'],
  ['dist-run3.t26', "KeyError: 'tokens'", "KeyError: 'labels'", 'dist-ranks.t113'],
  ['dist_shape-run3.t26', 'dimension 0', 'dimension 0 of a tensor of shape [4, 4]', 'dist-ranks.t26'],
  ['dist_segv-run3.t26', /Signal 11 \(SIGSEGV\)/, 'Signal 6 (SIGABRT)', 'dist_segv-run3.t26'],
  ['fault.py36', 'Segmentation fault', 'Bus error', 'fault.py312'],
  ['fault.py36', / in (?:poke|main|string_at)$/gm, ' in other', 'fault.py312'],
  ['fault.py39', /fault\.py/g, 'decode.py', 'spawn_segv.t26'],
  ['fault_fpe.py38', 'Floating point exception', 'Illegal instruction', 'fault_fpe.py312'],
  ['fault_abort.py312', / in (?:stop|main)$/gm, ' in other', 'fault_abort.py38'],
  ['freebad.py38', 'double free or corruption (out)', 'corrupted size vs. prev_size', 'freebad.py312'],
  ['freetwice_b.py310', 'double free or corruption (!prev)', 'free(): invalid pointer', 'freetwice_b.py38'],
  ['overwrite.py311', 'free(): invalid next size (normal)', 'munmap_chunk(): invalid pointer', 'overwrite.py312'],
  ['overwrite.py311', 'free(): invalid next size (normal)', '*** stack smashing detected ***: terminated', 'overwrite.py312'],
  ['cpp_throw_runtime.py311', 'queue is closed', 'queue is full of requests', 'cpp_throw_runtime.py312'],
  ['cpp_throw_runtime.py311', 'std::runtime_error', 'c10::Error', 'cpp_throw_runtime.py312'],
  ['cpp_throw_int.py313', "instance of 'int'", "instance of 'std::bad_alloc'\n  what():  std::bad_alloc", 'cpp_throw_int.py312'],
  ['cpp_check.py312', 'n > 2', 'stride > 0', 'cpp_check.py38'],
  ['fatalerr.py36', 'tracker state is gone', 'deallocating None', 'fatalerr.py38'],
  ['jax_dot.tf', '(3,) and (5,)', '(3, 1) and (5,)', 'jax_dot.tf'],
  ['jax_scan2.tf', 'complex64[]', 'bfloat16[]', 'jax_scan2.tf'],
  ['jax_scan.tf', 'float32[2]', 'float32[2,2]', 'jax_scan.tf'],
  ['keras_call.tf', '[2,4], [5,2]', '[2,4,1], [5,2]', 'keras_call.tf'],
  ['keras_dtype.tf', 'type float16 that', 'type bfloat16 that', 'keras_dtype.tf'],
  ['tf_func.tf', '[2,3], [5,2]', '[2,3], [5,2,1]', 'tf_func.tf'],
  ['tf_graph.tf', 'Matrix size-incompatible: In[0]: [2,3], In[1]: [5,2]', 'indices[0] = 9 is not in [0, 5)', 'tf_graph.tf'],
];

function edited([name, from, to]: Edit): string {
  const text = textOf(name);
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  return changed;
}

describe('a quoted text with something else in it', () => {
  it.each(SAME)('%s with %s as %s is the same failure', (...edit) => {
    expect(judge(claimOf(edited(edit)), trials.get(edit[3])!)).toBe('shown');
  });

  it.each(OTHER)('%s with %s as %s is another failure', (...edit) => {
    expect(judge(claimOf(edited(edit)), trials.get(edit[3])!)).not.toBe('shown');
  });
});
