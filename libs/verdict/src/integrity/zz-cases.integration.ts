/* temporary */
import { mkdir, mkdtemp, writeFile, readFile, readdir, cp } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'vitest';
import { loadPythonSyntax } from '@reenact/code-index';
import { Launch, Candidate } from '@reenact/domain/schemas';
import { createLocalSandbox, readEvidence } from '/work/main/libs/sandbox/src/index.js';
import { applyPatch, buildTripwire, checkScript, confirmFindings, listSubject, suspectsFromPatch, judgeTrial } from '../index.js';
import { parseOracleFile } from '../oracle-file/parse-oracle-file.js';
import { bundleParts } from '../testing/bundle-parts.js';

it('cases', { timeout: 1_500_000 }, async () => {
  const python = await loadPythonSyntax();
  const base = await mkdtemp(join(tmpdir(), 'integrity-cases-'));
  const sandbox = createLocalSandbox({ workDirectory: join(base, 'work') });
  const dynamic = process.env['DYN'] === '1';
  let n = 0;
  for (const c of (await readdir('/work/shared/cases')).filter((x) => !x.endsWith('.md'))) {
    if (process.env['ONLY'] && !c.includes(process.env['ONLY'])) continue;
    const root = `/work/shared/cases/${c}`;
    const truth = JSON.parse(await readFile(`${root}/truth.json`, 'utf8'));
    const facets = parseOracleFile(JSON.stringify({ reproduced_if_all: truth.oracle.reproduced_if_all }));
    const dirs: Record<string, string> = {};
    for (const arm of ['candidate', 'fixed', 'tripwire']) { dirs[arm] = join(base, c, arm); await mkdir(join(base, c), { recursive: true }); await cp(`${root}/project`, dirs[arm]!, { recursive: true }); }
    const patch = existsSync(`${root}/fix.patch`) ? await readFile(`${root}/fix.patch`, 'utf8') : null;
    const suspects = patch ? await suspectsFromPatch(python, dirs['candidate']!, patch) : [];
    if (patch) await applyPatch(dirs['fixed']!, patch);
    const trip = await buildTripwire(python, dirs['tripwire']!, suspects, 'abcdef0123456789');
    console.log(`== ${c}`, JSON.stringify(suspects), JSON.stringify(trip.unwired));
    const subject = await listSubject(python, dirs['candidate']!, ['.']);
    for (const s of ['reference_repro.py', 'non_repro.py']) {
      const text = await readFile(`${root}/${s}`, 'utf8');
      const parts = bundleParts();
      const candidate = Candidate.parse({ ...parts.candidate, files: [{ path: s, text }], launch: { ...parts.candidate.launch, steps: [{ argv: ['python', `@script/${s}`] }] } });
      const sus = checkScript(python, candidate, subject, { ...parts.claim, facets });
      const trials = [];
      const scriptDir = join(base, `s${n}`);
      await mkdir(scriptDir); await writeFile(join(scriptDir, s), text);
      for (const arm of dynamic ? (['candidate', 'fixed', 'tripwire'] as const) : []) {
        if (arm !== 'candidate' && !patch) continue;
        const out = await sandbox.execute({ executionId: `${process.pid}-c${n}-${arm}`, scriptDirectory: scriptDir, subjectDirectory: dirs[arm]!, importRoots: ['.'], interpreter: '/usr/bin/python3', launch: Launch.parse({ ...candidate.launch, limits: { wallSeconds: 90 } }), outputDirectory: join(base, `o${n}-${arm}`), coverage: null, allowUnsandboxed: true }, { signal: new AbortController().signal, onProgress: () => undefined });
        if (out.outcome !== 'finished') { console.log('INFRA', out); continue; }
        const records = await readEvidence(out.evidencePath);
        trials.push({ judged: judgeTrial({ id: arm, arm, index: 0, outcome: 'finished', infraReason: null, sentinel: arm === 'tripwire' ? 'abcdef0123456789' : null }, records, facets), records });
      }
      n++;
      const states = trials.map((t) => `${t.judged.arm}=${t.judged.facets[0]?.state}${t.judged.sentinelSeen ? '(tripped)' : ''}`).join(' ');
      const all = dynamic ? confirmFindings(python, candidate, sus, { trials, facets, suspects, subject }) : sus;
      const none = dynamic ? confirmFindings(python, candidate, sus, { trials: trials.filter((t) => t.judged.arm === 'candidate'), facets, suspects, subject }) : [];
      const bad = [...all, ...none].some((f) => f.level === 'finding');
      console.log(`${bad ? 'FINDING ' : ''}${s} | ${states}\n` + all.map((f) => `      ${f.level} ${f.rule} ${f.line ?? ''} ${f.message} ${JSON.stringify(f.detail ?? {}).slice(0, 150)} -- ${f.evidence ?? ''}`).join('\n') + (bad ? `\n without: ${none.map((f) => `${f.level} ${f.rule} ${f.evidence}`).join(';')}` : ''));
    }
  }
});
