import type { CodeIndex, Definition } from '@reenact/code-index';
import { folderOf } from '@reenact/code-index';
import { lookupsOf } from './code-lookups.js';

/** Steps of one search: packages hand names up through a few `__init__` files, star imports fan out. */
const MOST_STEPS = 200;

/**
 * Definitions that a dotted name stands for in a file: its own, else what it re-exports (`from .a import b`, `from .a import *`, in a
 * branch or a `try` as well) or what a module of that name holds, followed through the project's files. Of `Class.method.attribute`
 * the longest known beginning counts. Several where branches differ; empty where the trail leaves the project.
 */
export function resolveName(code: CodeIndex, file: string, name: string): Definition[] {
  return follow(code, { file, parts: name.split('.') }, new Set());
}

interface Trail {
  file: string;
  parts: string[];
}

function follow(code: CodeIndex, { file, parts }: Trail, visited: Set<string>): Definition[] {
  const key = `${file}\n${parts.join('.')}`;
  if (visited.has(key) || visited.size >= MOST_STEPS) return [];
  visited.add(key);
  const own = ownDefinitions(code, file, parts);
  if (own.length > 0) return own;
  const trails = namedTrails(code, file, parts);
  if (trails.length > 0) return trails.flatMap((trail) => follow(code, trail, visited));
  if (parts[0]?.startsWith('_')) return [];
  // A star import hands on every public name; the first file that knows it is meant.
  for (const item of code.imports.get(file) ?? []) {
    if (item.imported !== '*' || item.file === null || item.file === file) continue;
    const found = follow(code, { file: item.file, parts }, visited);
    if (found.length > 0) return found;
  }
  return [];
}

function ownDefinitions(code: CodeIndex, file: string, parts: string[]): Definition[] {
  const definitions = lookupsOf(code).definitions.get(file) ?? [];
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('.');
    const found = definitions.filter((definition) => definition.name === name);
    if (found.length > 0) return found;
  }
  return [];
}

/** Where a name goes on: into the file that an import takes it from, or into the module that it names. */
function namedTrails(code: CodeIndex, file: string, parts: string[]): Trail[] {
  const [head = '', ...rest] = parts;
  const trails: Trail[] = [];
  for (const item of code.imports.get(file) ?? []) {
    if (item.local !== head || item.file === null || item.file === file) continue;
    if (!item.isModule) trails.push({ file: item.file, parts: [item.imported ?? head, ...rest] });
    else if (rest.length > 0) trails.push({ file: item.file, parts: rest });
  }
  if (trails.length > 0 || rest.length === 0 || !file.endsWith('__init__.py')) return trails;
  const stem = [folderOf(file), head].filter(Boolean).join('/');
  const module = [`${stem}.py`, `${stem}/__init__.py`].find((name) => code.imports.has(name));
  return module === undefined ? [] : [{ file: module, parts: rest }];
}
