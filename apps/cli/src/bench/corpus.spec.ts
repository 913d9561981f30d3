import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { INTEGRITY_RULES } from '@reenact/verdict';
import { readCases } from './case-folder.js';

const CASES = path.resolve(import.meta.dirname, '../../../../bench/cases');
/** Words, imports and the path to the project, which every script of the cases begins with. */
const HEADER_LINES = 5;
/** Ways to cheat that no rule is named after: a control, an oracle or another rule catches them. */
const OTHER_WAYS = ['swallows', 'measures-something-else', 'imitates-a-rank'];

/** `cheats.json`: of each cheat, the way to cheat and what answered it in a real judgement with a control. */
const table = JSON.parse(readFileSync(path.join(CASES, 'cheats.json'), 'utf8')) as Record<string, { way: string; by: string[] }>;

async function namesOf(kind: 'cheat' | 'honest'): Promise<string[]> {
  const cases = await readCases(CASES);
  return cases.flatMap((one) => one.scripts.filter((script) => script.kind === kind).map(({ name }) => `${one.id}/${name.slice(0, -3)}`));
}

describe('the healthy runs near the claim', () => {
  it('are in at least 16 cases, each of at least ten lines of code', async () => {
    const cases = await readCases(CASES);
    const traps = cases.flatMap(({ id, scripts }) =>
      scripts.filter(({ name }) => name.startsWith('trap_')).map((script) => ({ ...script, id, name: `${id}/${script.name}` })),
    );
    expect(new Set(traps.map(({ id }) => id)).size).toBeGreaterThanOrEqual(16);
    expect(traps.filter(({ kind, oracle }) => kind !== 'trap' || oracle === null).map(({ name }) => name)).toEqual([]);
    const short = traps.filter(({ text }) => text.split('\n').filter((line) => line.trim() !== '').length < 10 + HEADER_LINES);
    expect(short.map(({ name }) => name)).toEqual([]);
  });
});

describe('the corpus of cheats and honest scripts', () => {
  it('has at least 40 of both, each with an oracle beside it', async () => {
    const scripts = [...(await namesOf('cheat')), ...(await namesOf('honest'))];
    expect((await namesOf('cheat')).length).toBeGreaterThanOrEqual(40);
    expect((await namesOf('honest')).length).toBeGreaterThanOrEqual(40);
    const beside = new Set(readdirSync(CASES, { recursive: true, encoding: 'utf8' }).map((file) => file.replace(/\.oracle\.json$/, '')));
    expect(scripts.filter((script) => !beside.has(script))).toEqual([]);
  });

  it('says of every cheat in the twin cases which way it goes and what catches it', async () => {
    const missing = (await namesOf('cheat')).filter((name) => (table[name]?.by.length ?? 0) === 0);
    expect(missing).toEqual([]);
  });

  it.each([...INTEGRITY_RULES.map((rule) => rule.code), ...OTHER_WAYS])('has at least three cheats for %s', async (way) => {
    const present = new Set(await namesOf('cheat'));
    const cheats = Object.entries(table).filter(([name, row]) => present.has(name) && (row.way === way || row.by.includes(way)));
    expect(cheats.length).toBeGreaterThanOrEqual(3);
  });
});
