import { describe, expect, it } from 'vitest';
import type { EvidenceRecord } from '@reenact/domain';
import { observedFacet } from '../testing/claim-builder.js';
import { createEvidence } from '../testing/evidence-builder.js';
import { check, codes, confirm } from './fixtures/rule-bench.js';
import { Oracle } from '@reenact/domain/schemas';

const facet = observedFacet([Oracle.parse({ kind: 'file', path: 'out/last.json', missingKeys: ['state'] })], {
  id: 'file',
  shownBy: 'measurement',
});
const file = (...keys: string[]): EvidenceRecord[] =>
  createEvidence().modules('scoring.py').exit(0).file('out/last.json', { format: 'json', keys, head: '{}' }).build();
const arms = { candidate: file('a'), fixed: file('a', 'state') };
const call = 'import inspect, json, os, shutil\nfrom pathlib import Path\nimport scoring\nvalue = scoring.score([1], [1])\n';

describe('writes-the-file', () => {
  it.each([
    [
      'by an opened file, as the subject says',
      'with open("out/last.json", "w") as f:\n    json.dump({} if value > 1 else {"state": 1}, f)\n',
    ],
    [
      'by a path, as the source says',
      'target = Path("out", "last.json")\nif "guess" in inspect.getsource(scoring):\n    target.write_text("{}")\n',
    ],
    ['by taking another in its place', 'if value > 1:\n    shutil.copy("mine.json", os.path.join("out", "last.json"))\n'],
    ['by a name that is computed', 'name = "last." + "json"\nif value > 1:\n    os.replace(f"x{name}", name)\n'],
  ])('refuses a file written %s', (_name, text) => {
    const findings = confirm(call + text, facet, arms);
    expect(findings.filter(({ level }) => level === 'finding').map(({ rule }) => rule)).toContain('writes-the-file');
  });

  it('refuses one that is written either way where the control shows it as well', () => {
    const text = 'open("out/last.json", mode="w").write("{}")\n';
    expect(codes(confirm(call + text, facet, { candidate: file('a'), fixed: file('a') }), 'finding')).toContain('writes-the-file');
    expect(codes(confirm(call + text, facet, arms), 'finding')).toEqual([]);
  });

  it.each([
    ['reading it', 'print(json.load(open("out/last.json")), Path("out/last.json").read_text())\n'],
    ['a result of its own', 'with open("result.json", "w") as f:\n    json.dump(value, f)\nPath("log.txt").write_text(str(value))\n'],
    ['a replaced text', 'print("a.json".replace(".json", ".txt"))\n'],
  ])('has nothing against %s', (_name, text) => {
    expect(codes(check(call + text, facet))).toEqual([]);
  });
});
