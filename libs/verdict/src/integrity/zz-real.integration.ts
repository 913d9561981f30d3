/* temporary */
import { cp, mkdir, mkdtemp, writeFile, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'vitest';
import { loadPythonSyntax } from '@reenact/code-index';
import { Launch, Candidate } from '@reenact/domain/schemas';
import { createLocalSandbox, readEvidence } from '/work/main/libs/sandbox/src/index.js';
import { applyPatch, buildTripwire, checkScript, confirmFindings, listSubject, suspectsFromPatch, judgeTrial } from '../index.js';
import { bundleParts } from '../testing/bundle-parts.js';
import { CHEATS } from './fixtures/cheats.js';
import { HONEST } from './fixtures/honest.js';
import { FACETS, FIX, SUBJECT } from './fixtures/subject.js';

function slim(records: readonly Record<string, any>[]): unknown[] {
  return records.filter((r) => ['stream','obs','exception','modules','exit','process','warning','subject','notice','stall'].includes(r.kind) && !(r.kind === 'notice' && (r.code === 'dump-ready')) && !(r.kind === 'process' && r.source === 'supervisor') && !(r.kind === 'subject' && r.when !== 'after' && r.changed.length === 0))
    .map(({ t, step, treeHash, wallSeconds, cpuSeconds, peakRssBytes, ...r }) => ({ ...r, t: 0, ...(r.kind === 'subject' ? { treeHash: '' } : {}), ...(r.kind === 'exit' ? { wallSeconds: 0, cpuSeconds: 0, peakRssBytes: 0 } : {}), ...(r.kind==='process' ? { argv: r.argv.map((w: string) => w.replace(/^\/usr\/bin\/python3$/, 'python')) } : {}) }));
}
it('real', { timeout: 900_000 }, async () => {
  const python = await loadPythonSyntax();
  const base = await mkdtemp(join(tmpdir(), 'integrity-real-'));
  const dirs: Record<string, string> = {};
  for (const arm of ['candidate', 'fixed', 'tripwire']) {
    dirs[arm] = join(base, arm);
    for (const [n, t] of Object.entries(SUBJECT)) { await mkdir(dirs[arm]!, { recursive: true }); await writeFile(join(dirs[arm]!, n), t); }
  }
  const suspects = await suspectsFromPatch(python, dirs['candidate']!, FIX);
  await applyPatch(dirs['fixed']!, FIX);
  console.log(suspects, await buildTripwire(python, dirs['tripwire']!, suspects, 'abcdef0123456789'));
  const subject = await listSubject(python, dirs['candidate']!, ['.']);
  const sandbox = createLocalSandbox({ workDirectory: join(base, 'work') });
  const only = process.env['ONLY'];
  const recorded: string[] = [];
  let n = 0;
  for (const fx of [...CHEATS, ...HONEST]) {
    if (only && !fx.name.includes(only)) continue;
    const facet = FACETS[fx.facet];
    const parts = bundleParts();
    const candidate = Candidate.parse({ ...parts.candidate, files: [{ path: 'repro.py', text: fx.text }] });
    const claim = { ...parts.claim, facets: [facet] };
    const scriptDir = join(base, `s${n}`);
    await mkdir(scriptDir); await writeFile(join(scriptDir, 'repro.py'), fx.text);
    const trials = [];
    for (const arm of ['candidate', 'fixed', 'tripwire'] as const) {
      const out = await sandbox.execute({ executionId: `${process.pid}-${n}-${arm}`, scriptDirectory: scriptDir, subjectDirectory: dirs[arm]!, importRoots: ['.'], interpreter: '/usr/bin/python3', launch: Launch.parse({ ...candidate.launch, limits: { wallSeconds: 30 } }), outputDirectory: join(base, `o${n}-${arm}`), coverage: null, allowUnsandboxed: true }, { signal: new AbortController().signal, onProgress: () => undefined });
      if (out.outcome !== 'finished') { console.log('INFRA', out); continue; }
      const records = await readEvidence(out.evidencePath);
      const judged = judgeTrial({ id: arm, arm, index: 0, outcome: 'finished', infraReason: null, sentinel: arm === 'tripwire' ? 'abcdef0123456789' : null }, records, [facet]);
      trials.push({ judged, records });
    }
    n++;
    for (const t of trials) recorded.push(JSON.stringify({ script: fx.name, arm: t.judged.arm, records: slim(t.records) }));
    const states = trials.map((t) => `${t.judged.arm}=${t.judged.facets[0]?.state}${t.judged.sentinelSeen ? '(tripped)' : ''}`).join(' ');
    const sus = checkScript(python, candidate, subject, claim);
    const all = confirmFindings(python, candidate, sus, { trials, facets: [facet], suspects, subject });
    const none = confirmFindings(python, candidate, sus, { trials: trials.filter((t) => t.judged.arm !== 'fixed'), facets: [facet], suspects, subject });
    const rule = (fx as { rule?: string }).rule;
    const bad = rule ? !all.some((f) => f.level === 'finding') : all.some((f) => f.level === 'finding');
    const badNone = rule ? !none.some((f) => f.level === 'finding') : none.some((f) => f.level === 'finding');
    console.log(`${bad ? 'BAD ' : 'ok  '}${badNone ? 'BAD(no control) ' : ''}${rule ?? 'honest'}: ${fx.name} | ${states}\n` + all.map((f) => `      ${f.level} ${f.rule} ${f.line ?? ''} ${f.message} -- ${f.evidence ?? ''}`).join('\n') + (JSON.stringify(all.map(f=>f.level)) === JSON.stringify(none.map(f=>f.level)) ? '' : '\n    without control: ' + none.map((f) => `${f.level} ${f.rule} ${f.evidence ?? ''}`).join('; ')));
    if (only) for (const t of trials) console.log(t.records.map((r) => JSON.stringify(r)).join('\n').slice(0, 6000));
  }
  await writeFile('/tmp/integrity/recorded.jsonl', recorded.join('\n') + '\n');
});
