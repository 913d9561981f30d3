import { mkdir } from 'node:fs/promises';
import { execa } from 'execa';

/** A history whose culprit is known. */
export interface SeededHistory {
  commits: number;
  /** Number of the commit that takes the guard out, from 1; 0 is the tag `first`, the last is `main`. */
  firstBad: number;
  /** How often a commit with the fault shows it, in (0, 1]. */
  rate: number;
}

const ENTRY = 'from batches import count\n\nprint("batches", count(12, 0))\n';

/**
 * Makes a git repository in which one commit takes out a guard, so that counting with a size of 0 fails from there on; the code that
 * uses it never changes, and every commit changes something. The last commit is the same for every culprit.
 */
export async function writeSeededHistory(directory: string, history: SeededHistory): Promise<void> {
  await mkdir(directory, { recursive: true });
  const git = (argv: string[], input?: string) => execa('git', ['-C', directory, ...argv], input === undefined ? {} : { input });
  await git(['init', '--quiet', '-b', 'main']);
  await git(['fast-import', '--quiet'], importStream(history));
  await git(['reset', '--quiet', '--hard', 'main']);
}

/** The history in the form of `git fast-import`. */
function importStream(history: SeededHistory): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const commits = Array.from({ length: history.commits }, (_unused, index) =>
    [
      `commit refs/heads/main\nmark :${index + 1}\n`,
      `committer a <a@example.org> ${1_700_000_000 + index} +0000\n`,
      data(`change ${index}`),
      `M 100644 inline batches.py\n${data(batches(index, history))}`,
      index === 0 ? `M 100644 inline train.py\n${data(ENTRY)}` : '',
    ].join(''),
  );
  return `${commits.join('')}reset refs/tags/first\nfrom :1\n\n`;
}

function batches(index: number, { firstBad, rate }: SeededHistory): string {
  const isHealthy = index < firstBad;
  const chance = rate < 1 ? `    if size == 0 and random.random() >= ${rate}:\n        return 0\n` : '';
  const guard = isHealthy ? '    if size == 0:\n        return 0\n' : chance;
  return `import random\n\nREVISION = ${index}\n\n\ndef count(items, size):\n${guard}    return items // size\n`;
}

/** The report of the fault, as somebody would file it who sees it at this rate. */
export function seededReport(rate: number): string {
  const often = rate < 1 ? `\nIt happens by chance, in about ${Math.round(rate * 10)} of 10 runs.\n` : '';
  return `# Counting the batches dies with ZeroDivisionError
${often}
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    print("batches", count(12, 0))
  File "batches.py", line ${rate < 1 ? 9 : 7}, in count
    return items // size
ZeroDivisionError: integer division or modulo by zero

To reproduce: \`python train.py\`
`;
}

/** A script that shows the fault of a seeded history. */
export const SEEDED_SCRIPT = ENTRY;
