import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findJava, holdsModule } from './java-home.js';

const folder = mkdtempSync(path.join(tmpdir(), 'reenact-java-'));
afterAll(() => rmSync(folder, { recursive: true }));

function makeHome(name: string, release: string): string {
  const home = path.join(folder, name);
  mkdirSync(path.join(home, 'bin'), { recursive: true });
  writeFileSync(path.join(home, 'bin', 'java'), '');
  writeFileSync(path.join(home, 'release'), release);
  return home;
}

it('takes the first named Java that is new enough, by what it tells about itself', () => {
  const old = makeHome('old', 'JAVA_VERSION="17.0.15"\n');
  const fit = makeHome('fit', 'IMPLEMENTOR="x"\nJAVA_VERSION="21"\nMODULES="java.base jdk.incubator.vector"\n');
  const newer = makeHome('newer', 'JAVA_VERSION="25.0.2"\n');
  expect(findJava([path.join(folder, 'absent'), old, fit, newer], '')).toBe(fit);
  expect([holdsModule(fit, 'jdk.incubator.vector'), holdsModule(newer, 'jdk.incubator.vector')]).toEqual([true, false]);
});

it('finds one on the search path', () => {
  const home = makeHome('path', 'JAVA_VERSION="999.1"\n');
  expect(findJava([], path.join(home, 'bin'))).toMatch(/path$/);
});
