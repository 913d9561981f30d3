import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Oracle } from '@reenact/domain/schemas';
import { parseOracleFile } from '@reenact/verdict';
import { readCases } from './case-folder.js';

const CASES = path.resolve(import.meta.dirname, '../../../../bench/cases');

describe('our own cases', () => {
  it('judge a script that shows the symptom by every oracle kind', async () => {
    const scripts = (await readCases(CASES)).flatMap((folder) => folder.scripts);
    const judged = scripts
      .filter(({ kind }) => kind === 'reference' || kind === 'honest')
      .flatMap(({ oracle }) => (oracle === null ? [] : parseOracleFile(oracle)))
      .flatMap((facet) => facet.oracles.map(({ kind }) => kind));
    const missing = Oracle.options.map((option) => option.shape.kind.value).filter((kind) => !judged.includes(kind));
    expect(missing).toEqual([]);
  });

  it('have an oracle for every script', async () => {
    const without = (await readCases(CASES)).flatMap(({ id, scripts }) =>
      scripts.flatMap(({ name, oracle }) => (oracle === null ? [`${id}/${name}`] : [])),
    );
    expect(without).toEqual([]);
  });
});
