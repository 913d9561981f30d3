import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { loadPythonSyntax } from './libs/code-index/dist/index.js';
import { checkScript } from './libs/verdict/dist/integrity/check-script.js';
import { listSubject } from './libs/verdict/dist/integrity/subject-listing.js';
import { bundleParts } from './libs/verdict/dist/testing/bundle-parts.js';
const python = await loadPythonSyntax();
for (const root of ['/work/shared/cases', '/tmp/hC/bench/cases']) for (const c of readdirSync(root)) {
  const d = `${root}/${c}`; if (!existsSync(`${d}/truth.json`)) continue;
  const truth = JSON.parse(readFileSync(`${d}/truth.json`));
  const subject = await listSubject(python, `${d}/project`, ['.', 'src']);
  for (const f of readdirSync(d).filter((x) => /^(reference|non_|honest).*\.py$/.test(x))) {
    const o = existsSync(`${d}/${f.replace('.py', '.oracle.json')}`) ? JSON.parse(readFileSync(`${d}/${f.replace('.py', '.oracle.json')}`)) : truth.oracle;
    const oracles = (o.reproduced_if_all ?? []).filter((x) => x.obs).map((x) => ({ kind: 'relation', left: { obs: x.obs, take: 'last' }, op: x.op, right: x.value }));
    const facets = oracles.map((x, i) => ({ id: `f${i}`, statement: '', span: null, stance: 'observed', oracles: [x], shownBy: 'measurement' }));
    const p = bundleParts();
    const text = readFileSync(`${d}/${f}`, 'utf8');
    const found = checkScript(python, { ...p.candidate, files: [{ path: 'repro.py', text }] }, subject, { ...p.claim, facets });
    for (const x of found) console.log(c, f, x.level, x.rule, x.line, x.message);
  }
}
