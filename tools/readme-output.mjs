// Holds the README's printed output to what the command really prints, apart from what differs from run to run.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const MARK = /(<!-- output: (.+?) -->\n```\n)([\s\S]*?)(```)/;

/** Ids, addresses, times and versions of a machine become fixed words, so that two outputs can be compared. */
export function steady(text) {
  return (
    text
      .replace(/https?:\/\/127\.0\.0\.1:\d+\S*/g, 'http://127.0.0.1:PORT/…')
      .replace(/(training-stops-with-an)-[0-9a-f]{6}(\.\d+)?/g, '$1-ID')
      .replace(/\b[0-9a-f]{12}-(candidate|fixed|good|tripwire)-\d+/g, 'TRIAL-$1')
      .replace(/\S*\/\.reenact\/runs\//g, '.reenact/runs/')
      .replace(/record \d+/g, 'record N')
      // The good environment is a second control, where an old NumPy installs at all.
      .replace(/, \d+ of \d+ with other environment: [^;]*?(?=;)/g, '')
      .replace(/^ *control +good: .*\n/gm, '')
      .replace(/(?:\d+ min )?\d+(?:\.\d+)? s, \d+ trials/g, 'T s, N trials')
      .replace(/Python \d+\.\d+\.\d+/g, 'Python X.Y.Z')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trim()
  );
}

/** The lines of the README's block that begins the verdict, and what the command printed. */
export function compareReadme(root, printed) {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const block = MARK.exec(readme)?.[3] ?? '';
  return { same: steady(block) === steady(printed), expected: steady(block), printed: steady(printed) };
}

/** Writes what was printed into the README: `node tools/readme-output.mjs FILE`. */
if (process.argv[1]?.endsWith('readme-output.mjs')) {
  const root = path.resolve(import.meta.dirname, '..');
  const file = path.join(root, 'README.md');
  const printed = steady(readFileSync(process.argv[2], 'utf8'));
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(MARK, (_, head, _command, _old, tail) => `${head}${printed}\n${tail}`),
  );
}
