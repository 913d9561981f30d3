import { readdirSync, readFileSync } from 'node:fs';
import { it } from 'vitest';
import { loadPythonSyntax } from '@reenact/code-index';
import { collectEmissions, collectObservations } from './emissions.js';
import { followScript } from './script-flow.js';
import { listSubject } from './subject-listing.js';

it('probe', async () => {
  const python = await loadPythonSyntax();
  for (const c of readdirSync('/work/shared/cases')) {
    if (c.endsWith('.md')) continue;
    const subject = await listSubject(python, `/work/shared/cases/${c}/project`, ['.']);
    for (const s of ['reference_repro.py', 'non_repro.py']) {
      const flow = followScript(python, [{ path: s, text: readFileSync(`/work/shared/cases/${c}/${s}`, 'utf8') }], subject);
      console.log(c, s, 'reaches', flow.reachesSubject);
      for (const o of collectObservations(collectEmissions(flow))) console.log('   ', o.name, o.literal, o.labels);
    }
  }
});
