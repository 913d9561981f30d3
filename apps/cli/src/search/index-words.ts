import type { IndexPlan, OpenedTree, SkippedFolder, SkipReason, SourceKind } from '@reenact/code-index';
import { plainLine } from '@reenact/reporting';
import { columns } from '../console.js';

const KIND_WORDS: Record<SourceKind, [one: string, many: string]> = {
  python: ['Python file', 'Python files'],
  notebook: ['notebook', 'notebooks'],
  configuration: ['settings file', 'settings files'],
  launcher: ['shell script or makefile', 'shell scripts and makefiles'],
  readme: ['README', 'READMEs'],
  requirements: ['requirements file', 'requirements files'],
};

const REASON_WORDS: Record<SkipReason, string> = {
  hidden: 'hidden',
  cache: 'caches and environments',
  vendored: 'vendored code',
  generated: 'generated',
  data: 'data',
  'too-big': 'too big',
  minified: 'minified',
  binary: 'binary',
  link: 'links',
  unreadable: 'unreadable',
  unparsable: 'the parser fails on them',
  'too-many-files': 'beyond the limits of 40,000 files and 256 MB',
};
const MOST_FOLDERS = 5;
const MOST_NAME_CHARACTERS = 100;

/** What will be indexed and what not, for a person; said before it begins. */
export function planWords({ files, bytes: size, kinds, skipped }: IndexPlan, folders: readonly SkippedFolder[]): string {
  const parts = Object.entries(kinds).map(([kind, { files: count }]) => {
    const [one, many] = KIND_WORDS[kind as SourceKind];
    return counted(count, one, many);
  });
  const lines = [`Indexed: ${counted(files, 'file')}, ${bytes(size)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}.`];
  if (skipped.length > 0)
    lines.push(`Skipped: ${counted(skipped.length, 'file or folder', 'files or folders')} (${reasonWords(skipped).join(', ')}).`);
  const shown = folders.slice(0, MOST_FOLDERS).filter((folder) => folder.files > 0);
  if (shown.length > 0) lines.push('The fullest skipped folders:', columns(shown.map(folderRow)));
  return lines.join('\n');
}

/** What the index holds now and what it took. `seconds` from start to end. */
export function resultWords(tree: OpenedTree, seconds: number): string {
  const { stated, hashed, parsed } = tree.counts;
  const chunks = tree.files.reduce((sum, file) => sum + file.chunks, 0);
  const rows = [
    ['holds', `${counted(tree.files.length, 'file')}, ${counted(chunks, 'chunk')}`],
    ['checked', `${counted(stated, 'file')}: ${hashed} read, ${parsed} parsed, the rest as before`],
    ['left out', tree.skipped.length === 0 ? 'nothing' : reasonWords(tree.skipped).join(', ')],
    ['took', duration(seconds)],
  ];
  return columns(rows);
}

/** How often each reason came, the commonest first. */
export function countReasons(skipped: readonly { reason: SkipReason }[]): [reason: SkipReason, count: number][] {
  const groups = Map.groupBy(skipped, ({ reason }) => reason);
  return [...groups].map(([reason, group]): [SkipReason, number] => [reason, group.length]).sort((left, right) => right[1] - left[1]);
}

function reasonWords(skipped: readonly { reason: SkipReason }[]): string[] {
  return countReasons(skipped).map(([reason, count]) => `${count} ${REASON_WORDS[reason]}`);
}

function folderRow({ path, files, bytes: size, reason, isWhole }: SkippedFolder): string[] {
  const more = isWhole ? '' : 'more than ';
  return [`  ${plainLine(path, MOST_NAME_CHARACTERS)}`, `${more}${counted(files, 'file')}`, bytes(size), REASON_WORDS[reason]];
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A size for a person, in decimal units. */
export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`;
  if (count < 1_000_000) return `${(count / 1_000).toFixed(1)} kB`;
  return count < 1_000_000_000 ? `${(count / 1_000_000).toFixed(1)} MB` : `${(count / 1_000_000_000).toFixed(2)} GB`;
}

/** A time for a person. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
