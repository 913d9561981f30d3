import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { missingLine, weighedLine, weighRetrieval } from './bench-row.js';
import { clusteredVectors, vectorAt } from './clustered-vectors.js';
import { buildFullText } from './full-text-peer.js';
import { describeRate, discordant, hitRate, meanReciprocalRank } from './hit-rate.js';
import { startJsonLines } from './json-lines-process.js';
import { longQueries } from './long-queries.js';
import { placeReports } from './report-cases.js';
import { killLines } from './rows/kills-row.js';
import { placeOf, queriesInside, wholeTokens } from './rows/docstrings-row.js';
import { firstFiles } from './rows/reports-row.js';
import { renderRetrieval } from './run-retrieval-bench.js';
import { isTaken } from './speed-set.js';
import { medianOf, milliseconds, percentile, quickest, times } from './timings.js';

const scratch: string[] = [];
afterEach(async () => {
  for (const folder of scratch.splice(0)) await rm(folder, { recursive: true, force: true });
});
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'reenact-bench-'));
  scratch.push(folder);
  return folder;
}

describe('the table', () => {
  const good = weighedLine({ row: 'scan', measure: 'm', value: '1×', bar: '≤ 2×', figures: {} }, true);
  const told = { ...good, mark: 'told' as const };

  it('holds where every bar is met and nothing is missing', () => {
    expect(weighRetrieval([good, told]).holds).toBe(true);
    expect(weighRetrieval([good, { ...good, mark: 'falls short' }]).holds).toBe(false);
    expect(weighRetrieval([good, missingLine('kills', 'm', 'none')]).holds).toBe(false);
    expect(weighRetrieval([]).holds).toBe(false);
    expect(renderRetrieval(weighRetrieval([good, missingLine('kills', 'm', 'no store')]))).toContain('no store');
  });
});

describe('kills', () => {
  const counts = Array.from({ length: 20 }, (_unused, place) => ({ point: `p${place}`, kills: 5, differing: [] as string[] }));
  const marks = (changed: Partial<(typeof counts)[0]>) =>
    killLines([...counts.slice(1), { point: 'p', kills: 5, differing: [], ...changed }]);

  it('holds with a hundred kills, none of which made a difference, and no point missed', () => {
    expect(marks({})).toHaveLength(21);
    expect(marks({})[0]).toMatchObject({ measure: 'p1', value: '5 kills, 0 differ', mark: 'told' });
    expect(marks({}).at(-1)).toMatchObject({ mark: 'holds', figures: { kills: 100, points: 20, differing: 0, missed: 0 } });
    expect(marks({ kills: 4 }).at(-1)?.mark).toBe('falls short');
    expect(marks({ kills: 9, differing: ['kill 3: torn'] }).at(-1)?.mark).toBe('falls short');
    expect(killLines([...counts, { point: 'p', kills: 0, differing: [] }]).at(-1)).toMatchObject({
      mark: 'falls short',
      figures: { missed: 1 },
    });
  });
});

describe('timings', () => {
  it('takes nearest ranks', () => {
    const values = Array.from({ length: 20 }, (_unused, place) => 20 - place);
    expect([percentile(values, 0.95), percentile(values, 1), medianOf(values), medianOf([3])]).toEqual([19, 20, 10, 3]);
    expect(medianOf([])).toBeNaN();
    expect([times(128.4), times(0.834), times(Number.NaN), milliseconds(1269), milliseconds(2.6)]).toEqual([
      '128×',
      '0.83×',
      'unknown',
      '1,269 ms',
      '2.60 ms',
    ]);
  });
});

describe('quickest', () => {
  it('takes the quickest of three rounds', async () => {
    const rounds = [5, 2, 9];
    const found = await quickest(async () => ({ milliseconds: rounds.shift()!, answer: rounds.length }));
    expect(found).toEqual({ milliseconds: 2, answer: 0 });
  });
});

describe('hit rates', () => {
  it('counts places below the depth, with an exact interval', () => {
    const rate = hitRate([0, 19, 20, -1], 20);
    expect(rate).toMatchObject({ hits: 2, total: 4, share: 0.5 });
    expect(rate.low).toBeCloseTo(0.0676, 3);
    expect(rate.high).toBeCloseTo(0.9324, 3);
    expect(describeRate(rate)).toBe('0.500 (0.068 to 0.932; 2 of 4)');
    expect(meanReciprocalRank([0, 3, -1, -1])).toBeCloseTo(0.3125);
    expect(discordant([0, -1, 5, 0], [0, 2, -1, 30], 20)).toEqual({ left: 2, right: 1 });
  });
});

describe('queries and vectors', () => {
  it('makes queries of so many distinct terms, alike for a seed', () => {
    const prose = {
      docstrings: ['alpha beta gamma delta', 'one two three four five', 'six seven eight'],
      errors: ['ValueError: alpha is negative'],
    };
    const [first, second] = longQueries(prose, 2, { seed: 5, terms: 9 });
    expect(new Set(first).size).toBe(9);
    expect(longQueries(prose, 2, { seed: 5, terms: 9 })).toEqual([first, second]);
    expect(longQueries(prose, 1, { seed: 6, terms: 9 })[0]).not.toEqual(first);
    expect(() => longQueries({ docstrings: [], errors: [] }, 1, { seed: 1 })).toThrow(RangeError);
    expect(new Set(longQueries({ docstrings: ['few words'], errors: [] }, 1, { seed: 1 })[0]).size).toBe(2);
  });

  it('makes unit vectors that crowd around centres', () => {
    const set = clusteredVectors(600, 32, { seed: 3, stream: 1 });
    const dot = (left: Float32Array, right: Float32Array): number => left.reduce((sum, value, column) => sum + value * right[column]!, 0);
    const first = vectorAt(set, 0);
    expect(dot(first, first)).toBeCloseTo(1, 5);
    const cosines = Array.from({ length: 599 }, (_unused, row) => dot(first, vectorAt(set, row + 1))).sort((left, right) => right - left);
    expect(cosines[0]).toBeGreaterThan(0.5);
    expect(Math.abs(cosines[300]!)).toBeLessThan(0.15);
    expect(clusteredVectors(600, 32, { seed: 3, stream: 1 }).rows).toEqual(set.rows);
    expect(clusteredVectors(600, 32, { seed: 3, stream: 2 }).rows).not.toEqual(set.rows);
  });

  it('takes places spread evenly, and all where there are fewer', () => {
    const taken = (total: number, wanted: number) =>
      Array.from({ length: total }, (_unused, place) => place).filter((place) => isTaken(place, total, wanted));
    expect(taken(10, 3)).toEqual([3, 6, 9]);
    expect(taken(1000, 77)).toHaveLength(77);
    expect(taken(4, 9)).toHaveLength(4);
    expect(taken(4, Infinity)).toHaveLength(4);
  });
});

describe('places', () => {
  it('finds a function by file and qualified name', () => {
    const query = { file: 'a/b.py', name: 'C.f', text: 'x' };
    const at = (file: string, name: string) => ({ id: '', file, kind: 'method' as const, name, startLine: 1, endLine: 2 });
    expect(placeOf(query, [at('a/b.py', 'f'), at('c.py', 'C.f'), at('a/b.py', 'C.f')])).toBe(2);
    expect(placeOf(query, [at('a/b.py', 'f')])).toBe(-1);
    expect(queriesInside([query, { ...query, name: 'g' }], [at('a/b.py', 'C.f')])).toEqual([query]);
    expect(firstFiles([at('a', 'x'), at('b', 'x'), at('a', 'y')])).toEqual(['a', 'b']);
    expect(wholeTokens('self.batchSize = my_size')).toEqual(['self', 'batchsize', 'my_size']);
  });
});

describe('full-text search of SQLite', () => {
  it('keeps tokens whole and ranks by them', () => {
    const peer = buildFullText(['batch_size batch size loss', 'loss loss step', 'other words']);
    expect(peer.search(['batch_size'], 5)).toEqual([0]);
    expect(peer.search(['loss', 'step'], 5)[0]).toBe(1);
    expect(peer.search(['"', 'absent'], 5)).toEqual([]);
    peer.close();
  });
});

describe('a program that answers in JSON lines', () => {
  const program = `require('node:readline').createInterface({input: process.stdin}).on('line', (line) => {
    const {x} = JSON.parse(line);
    if (x === 'end') { console.error('gone for good'); process.exit(3); }
    console.log(JSON.stringify(x === 'bad' ? {error: 'no such x'} : {twice: x * 2}));
  })`;

  it('answers one after another, and tells its errors and its end', async () => {
    const peer = startJsonLines([process.execPath, '-e', program], {});
    expect(await peer.ask({ x: 4 })).toEqual({ twice: 8 });
    await expect(peer.ask({ x: 'bad' })).rejects.toThrow('no such x');
    expect(await peer.ask({ x: 5 })).toEqual({ twice: 10 });
    await expect(peer.ask({ x: 'end' })).rejects.toThrow('ended');
    await peer.close();
  });

  it('tells where it cannot be started', async () => {
    const peer = startJsonLines(['/no/such/program'], {});
    await expect(peer.ask({})).rejects.toThrow();
    await peer.close();
  });
});

describe('reports placed in a tree', () => {
  async function writeFiles(root: string, files: Record<string, string>): Promise<void> {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), text);
    }
  }

  it('puts a project where none of its names is taken, and names its faulty file', async () => {
    const root = await newFolder();
    await writeFiles(path.join(root, 'tree'), {
      'p/a.py': '',
      'p/b.py': '',
      'p/train.py': '',
      'q/a.py': '',
      'q/b.py': '',
      'q/c.py': '',
      'r/a.py': '',
    });
    const truth = {
      id: 'one',
      oracle: { reproduced_if_all: [{}] },
      versions: { expected: {} },
      bug_location: { file: 'project/train.py' },
    };
    await writeFiles(path.join(root, 'cases', 'one'), {
      'report.md': 'It fails.',
      'truth.json': JSON.stringify(truth),
      'project/train.py': 'fit()\n',
      'reference_repro.py': '',
    });
    const placed = await placeReports(path.join(root, 'cases'), path.join(root, 'tree'), path.join(root, 'placed'));
    expect(placed).toEqual([{ id: 'one', report: 'It fails.', file: 'q/train.py' }]);
    expect(await readFile(path.join(root, 'placed', 'q', 'train.py'), 'utf8')).toBe('fit()\n');
  });
});
