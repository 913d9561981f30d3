import { appendFile, cp, readdir } from 'node:fs/promises';
import path from 'node:path';
import { weighedLine } from '../bench-row.js';
import type { BenchLine } from '../bench-row.js';
import { runTreeMeasure } from '../measure/run-measure.js';
import type { TreeMeasure } from '../measure/run-measure.js';
import type { RowContext } from '../row-context.js';
import { isTaken } from '../speed-set.js';

const CHANGED = 50;
const LEAST_FILES = 4000;
/** Definitions that give more than 4,000 indexed files of the main packages. */
const DEFINITIONS = 90_000;
const MOST_SHARE = { changed: 0.05, same: 0.015 };

/** 50 changed files of a big tree, then nothing changed: what is parsed and tokenised again, and the time to the first answer against that of the whole build. */
export async function changesRow({ options, ground, report }: RowContext): Promise<BenchLine[]> {
  const measure = `${CHANGED} changed files of ${LEAST_FILES} and more`;
  const layout = await ground.tree(Math.min(DEFINITIONS, options.chunks * 1.8), ['main']);
  const tree = path.join(await ground.scratch(), 'tree');
  await cp(layout.directory, tree, { recursive: true });
  const store = await ground.scratch();
  const whole = await runTreeMeasure(tree, store, ['loss']);
  report(`changes: whole build of ${whole.files} files in ${whole.seconds.toFixed(1)} s`);
  const changed = await changeFiles(tree, CHANGED);
  const after = await runTreeMeasure(tree, store, ['loss']);
  const same = await runTreeMeasure(tree, store, ['loss']);
  return [
    changeLine(measure, { whole, part: after, parsed: changed, most: MOST_SHARE.changed }),
    changeLine('nothing changed', { whole, part: same, parsed: 0, most: MOST_SHARE.same }),
  ];
}

function changeLine(
  measure: string,
  { whole, part, parsed, most }: { whole: TreeMeasure; part: TreeMeasure; parsed: number; most: number },
): BenchLine {
  const share = part.seconds / whole.seconds;
  const { counts } = part;
  const onlyChanged = counts.parsed === parsed && (parsed > 0 || counts.tokenised === 0);
  const line = {
    row: 'changes' as const,
    measure: `${measure}: parsed, re-tokenised; time against the whole build`,
    value: `${counts.parsed} files, ${counts.tokenised} chunks; ${(share * 100).toFixed(1)} % (${part.seconds.toFixed(2)} s of ${whole.seconds.toFixed(1)} s)`,
    bar: `${parsed} files; ≤ ${most * 100} %`,
    figures: {
      share,
      ...counts,
      seconds: part.seconds,
      wholeSeconds: whole.seconds,
      readSeconds: part.readSeconds,
      wholeReadSeconds: whole.readSeconds,
      files: whole.files,
    },
  };
  return weighedLine(line, onlyChanged && share <= most && whole.files >= LEAST_FILES);
}

/** Adds a function to so many files, spread over the tree. @returns how many. */
async function changeFiles(tree: string, wanted: number): Promise<number> {
  const entries = await readdir(tree, { recursive: true });
  const files = entries.filter((file) => file.endsWith('.py')).sort();
  const taken = files.filter((_file, place) => isTaken(place, files.length, wanted));
  for (const [place, file] of taken.entries()) await appendFile(path.join(tree, file), `\n\ndef added_${place}():\n    return ${place}\n`);
  return taken.length;
}
