import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PythonSyntax } from '@reenact/code-index';
import { outlinePython, type FileOutline } from '../controls/python-outline.js';

/** What the integrity rules know about the subject. Paths are relative to its tree. */
export interface SubjectListing {
  files: ReadonlySet<string>;
  /** Files by dotted module name, as the import roots give it. */
  modules: ReadonlyMap<string, string>;
  outlines: ReadonlyMap<string, FileOutline>;
  /** SHA-256 of each Python file, hex. */
  hashes: ReadonlyMap<string, string>;
  /** Texts of the Python files that were parsed. */
  texts: ReadonlyMap<string, string>;
}

/** Bounds for very large subjects: beyond them files are listed, and neither parsed nor hashed. */
const PARSED_FILES_LIMIT = 2_000;
const PARSED_BYTES_LIMIT = 1024 ** 2;
const SKIPPED_FOLDERS = new Set(['.git', '__pycache__', 'node_modules', '.venv', 'venv', '.tox', '.mypy_cache']);

/**
 * Reads a subject's pristine tree: its files, its importable modules and their definitions.
 * @param importRoots directories to import from, relative to the tree: `.`, `src`
 */
export async function listSubject(python: PythonSyntax, directory: string, importRoots: readonly string[]): Promise<SubjectListing> {
  const files = (await listFiles(directory, '')).sort();
  const outlines = new Map<string, FileOutline>();
  const hashes = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const file of files.filter((path) => path.endsWith('.py')).slice(0, PARSED_FILES_LIMIT)) {
    const bytes = await readFile(join(directory, file));
    hashes.set(file, createHash('sha256').update(bytes).digest('hex'));
    if (bytes.length > PARSED_BYTES_LIMIT) continue;
    texts.set(file, bytes.toString('utf8'));
    outlines.set(file, outlinePython(python, bytes.toString('utf8')));
  }
  return { files: new Set(files), modules: modulesOf(files, importRoots), outlines, hashes, texts };
}

/** A listing made of texts alone, for tests and for trees that are in memory. */
export function listingOf(
  python: PythonSyntax,
  texts: Readonly<Record<string, string>>,
  importRoots: readonly string[] = ['.'],
): SubjectListing {
  const files = Object.keys(texts).sort();
  const sources = files.filter((path) => path.endsWith('.py'));
  return {
    files: new Set(files),
    modules: modulesOf(files, importRoots),
    outlines: new Map(sources.map((path) => [path, outlinePython(python, texts[path] ?? '')])),
    hashes: new Map(
      sources.map((path) => [
        path,
        createHash('sha256')
          .update(texts[path] ?? '')
          .digest('hex'),
      ]),
    ),
    texts: new Map(sources.map((path) => [path, texts[path] ?? ''])),
  };
}

async function listFiles(directory: string, below: string): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(join(directory, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) paths.push(...(await listFiles(directory, path)));
    else if (entry.isFile()) paths.push(path);
  }
  return paths;
}

function modulesOf(files: readonly string[], importRoots: readonly string[]): Map<string, string> {
  const modules = new Map<string, string>();
  for (const root of importRoots) {
    const prefix = root === '.' ? '' : `${root.replace(/\/$/, '')}/`;
    for (const file of files) {
      if (!file.startsWith(prefix) || !file.endsWith('.py')) continue;
      const parts = file.slice(prefix.length, -'.py'.length).split('/');
      if (parts.at(-1) === '__init__') parts.pop();
      const importable = parts.length > 0 && parts.every((part) => /^[A-Za-z_]\w*$/.test(part));
      if (importable && !modules.has(parts.join('.'))) modules.set(parts.join('.'), file);
    }
  }
  return modules;
}

/** Whether a dotted name is a module of the subject, lies in one, or is a folder of it. */
export function isSubjectModule(subject: SubjectListing, name: string): boolean {
  if (subject.modules.has(name)) return true;
  for (const module of subject.modules.keys()) if (module.startsWith(`${name}.`) || name.startsWith(`${module}.`)) return true;
  return false;
}
