import { posix } from 'node:path';
import type { SubjectTree } from './subject-tree.js';
import { isInnerPath, nearestFile } from './subject-tree.js';

const PLACEHOLDER = /^<[\w./ -]{1,40}>$|^\{[\w-]{1,40}\}$|^\$\{?[A-Za-z_]\w{0,60}\}?$|^(?:path|your|my)[_/-][\w./-]{1,100}$/i;
const PLACEHOLDER_ROOT = /^(?:\/)?(?:path|your|some|my)(?:\/to)?\//i;
const ELLIPSIS = /^(?:\.{3}|…|\[\.{3}\]|\[[^\]\n]{0,60}\])$/i;

/**
 * Makes the arguments of a report's command runnable in a copy of the project: `<file>`, `/path/to/x.pt` and paths of the
 * reporter's own machine become the project's file of that name, or a fresh name. Plain arguments stay as they are.
 * Returns null when a placeholder stands for something that no rule can know, such as `<lr>`.
 */
export function settleArguments(args: string[], directory: string, tree: SubjectTree): { args: string[]; repairs: string[] } | null {
  const out: string[] = [];
  const repairs: string[] = [];
  for (const word of args) {
    if (ELLIPSIS.test(word)) {
      repairs.push(`left out \`${word}\``);
      continue;
    }
    const split = /^(--?[\w-]{1,80}=)(.*)$/s.exec(word);
    const prefix = split?.[1] ?? '';
    const value = split?.[2] ?? word;
    const settled = settleWord(value, prefix || (out.at(-1) ?? ''), directory, tree);
    if (settled === null) return null;
    if (settled !== value) repairs.push(`\`${value}\` became \`${settled}\``);
    out.push(prefix + settled);
  }
  return { args: out, repairs };
}

function settleWord(value: string, option: string, directory: string, tree: SubjectTree): string | null {
  if (PLACEHOLDER.test(value)) return settlePlaceholder(value, option, tree);
  if (value.includes('$(') || value.includes('`')) return null;
  if (PLACEHOLDER_ROOT.test(value) || isForeignPath(value)) return settlePath(value, tree);
  if (directory !== '.' && isInnerPath(value) && !value.startsWith('-')) {
    const inside = `${directory}/${value}`;
    if (tree.has(inside) || tree.files.some((file) => file.startsWith(`${inside}/`))) return inside;
  }
  return value;
}

/** A path of the reporter's machine, other than a temporary one. */
function isForeignPath(value: string): boolean {
  return /^(?:\/(?!tmp\/|dev\/null$|dev\/shm\/)[\w.-]+\/|~\/|[A-Za-z]:[\\/])/.test(value) && value.length < 400;
}

function settlePath(value: string, tree: SubjectTree): string {
  const path = value.replaceAll('\\', '/').replace(/^(?:~|[A-Za-z]:)?\/+/, '');
  const near = nearestFile(tree, path);
  if (near !== null) return near;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  for (let from = 0; from < parts.length; from += 1) {
    const folder = parts.slice(from).join('/');
    if (tree.files.some((file) => file.startsWith(`${folder}/`))) return folder;
  }
  return posix.basename(path) || 'out';
}

function settlePlaceholder(value: string, option: string, tree: SubjectTree): string | null {
  const name = value.replace(/[<>{}[\]$]/g, '').trim();
  const near = /\.\w{1,8}$/.test(name) ? nearestFile(tree, name) : null;
  if (near !== null) return near;
  const meaning = `${name} ${option}`.toLowerCase();
  if (/dir|folder|root/.test(meaning)) return 'out';
  if (/path|file|ckpt|checkpoint|output|weights|snapshot|model/.test(meaning))
    return /\.\w{1,8}$/.test(name) ? posix.basename(name) : 'out.bin';
  if (/port/.test(meaning)) return '29511';
  return null;
}
