// Loaded before a spec of the first pass: gathers the marks of the functions that it runs.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { afterAll } from 'vitest';
import { GATHERED } from './reach.mjs';

const file = process.env.MUTATION_REACH;
if (file) {
  globalThis[GATHERED] = new Set();
  afterAll(() => writeFileSync(file, JSON.stringify([...globalThis[GATHERED]])));
}
