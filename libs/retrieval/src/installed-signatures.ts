import type { CodeIndex, Definition, ResolvedImport } from '@reenact/code-index';
import { indexSources } from '@reenact/code-index';
import type { ContextBlock } from '@reenact/domain';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** A name that shown code takes from another package: `torch.optim` and `SGD`, `torch` and `nn.Linear`. */
export interface OuterName {
  module: string;
  name: string;
}

/** Callables looked up for one context: their budget holds fewer. */
const MOST_NAMES = 30;
/** Steps for one name, on the way through packages that hand it on. */
const MOST_STEPS = 40;
/** Larger modules are generated. */
const LARGEST_BYTES = 1_000_000;
/** Stands before the file in blocks, so that nobody takes it for one of the project. */
const INSTALLED_FOLDER = 'site-packages';
/** A longer signature says little, in characters. */
const LONGEST_SIGNATURE = 1_200;
const LONGEST_SUMMARY = 200;

/** Folders of installed packages, with what was read of them. */
export interface Installed {
  /**
   * Signature and first line of the docstring of each name, in the order of the names; of a class, those of its `__init__`. Names that
   * are native, made at run time or not installed are left out.
   */
  blocksOf(names: OuterName[]): Promise<ContextBlock[]>;
}

/** Opens folders such as `site-packages`. Nothing is run; files that are links out of their folder are not read. */
export function openInstalled(folders: string[]): Installed {
  const modules = new Map<string, Promise<Module | null>>();
  return {
    async blocksOf(names) {
      const blocks = new Map<string, ContextBlock>();
      for (const { module, name } of names.slice(0, MOST_NAMES)) {
        const trail = { module: module.split('.'), name: name.split('.') };
        const found = await follow({ folders, modules, visited: new Set() }, trail);
        if (found !== null) blocks.set(`${found.file}:${found.startLine}`, found);
      }
      return [...blocks.values()];
    },
  };
}

interface Module {
  /** Path relative to its folder of packages. */
  file: string;
  text: string;
  code: CodeIndex;
}

interface Library {
  folders: string[];
  modules: Map<string, Promise<Module | null>>;
  /** Steps made for the name that is looked up. */
  visited: Set<string>;
}

interface Trail {
  module: string[];
  name: string[];
}

async function follow(library: Library, { module, name }: Trail): Promise<ContextBlock | null> {
  const [head, ...rest] = name;
  const key = `${module.join('.')} ${name.join('.')}`;
  if (library.visited.has(key) || library.visited.size >= MOST_STEPS || head === undefined || module.length === 0) return null;
  library.visited.add(key);
  const loaded = await loadModule(library, module);
  if (loaded === null) return null;
  const definition = definitionOf(loaded, name);
  if (definition !== null) return blockOf(loaded, definition);
  const imports = loaded.code.imports.get(loaded.file) ?? [];
  const named = imports.find((item) => item.local === head);
  const next = named === undefined ? null : trailOf(loaded, module, { item: named, rest });
  const found = next === null ? null : await follow(library, next);
  if (found !== null) return found;
  const inner = rest.length > 0 ? await follow(library, { module: [...module, head], name: rest }) : null;
  return inner ?? followStars(library, { loaded, module, name });
}

/** A star import hands on every public name; the first module that knows it is meant. */
async function followStars(library: Library, { loaded, module, name }: Trail & { loaded: Module }): Promise<ContextBlock | null> {
  for (const item of loaded.code.imports.get(loaded.file) ?? []) {
    if (item.imported !== '*') continue;
    const found = await follow(library, { module: absolute(loaded, module, item), name });
    if (found !== null) return found;
  }
  return null;
}

/** Where an import of a module leads: into a module by its name, or to a module and the rest of the name. */
function trailOf(loaded: Module, module: string[], { item, rest }: { item: ResolvedImport; rest: string[] }): Trail | null {
  const target = absolute(loaded, module, item);
  if (item.imported === null) return rest.length === 0 ? null : { module: target, name: rest };
  return { module: target, name: [item.imported, ...rest] };
}

function absolute(loaded: Module, module: string[], item: ResolvedImport): string[] {
  const written = item.module === '' ? [] : item.module.split('.');
  if (item.level === 0) return written;
  const isPackage = loaded.file.endsWith('__init__.py');
  const up = item.level - (isPackage ? 1 : 0);
  return up > module.length ? [] : [...module.slice(0, module.length - up), ...written];
}

function definitionOf({ code }: Module, name: string[]): Definition | null {
  const dotted = name.join('.');
  return (
    code.definitions.find((item) => item.name === `${dotted}.__init__`) ?? code.definitions.find((item) => item.name === dotted) ?? null
  );
}

function loadModule({ folders, modules }: Library, parts: string[]): Promise<Module | null> {
  const key = parts.join('/');
  const known = modules.get(key) ?? readModule(folders, parts);
  modules.set(key, known);
  return known;
}

async function readModule(folders: string[], parts: string[]): Promise<Module | null> {
  if (!parts.every((part) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(part))) return null;
  for (const folder of folders) {
    for (const end of ['/__init__.py', '.py']) {
      const file = `${parts.join('/')}${end}`;
      const text = await readText(folder, file);
      if (text === null) continue;
      return { file, text, code: await indexSources([{ file, kind: 'python', text }]) };
    }
  }
  return null;
}

async function readText(folder: string, file: string): Promise<string | null> {
  const real = await realpath(path.join(folder, file)).catch(() => null);
  if (real === null || !real.startsWith(`${await realpath(folder)}${path.sep}`)) return null;
  const found = await stat(real).catch(() => null);
  return found === null || !found.isFile() || found.size > LARGEST_BYTES ? null : readFile(real, 'utf8').catch(() => null);
}

function blockOf({ file, text }: Module, definition: Definition): ContextBlock {
  const { name, startLine, endLine } = definition;
  const signature = withoutTail(definition.signature.slice(0, LONGEST_SIGNATURE));
  const lines = text.split('\n').slice(startLine - 1, endLine);
  const body = lines.slice(definition.signature.split('\n').length);
  const summary = /^\s*[rRuU]?(?:"""|''')\s*([^\n]{1,400})/
    .exec(body.slice(0, 3).join('\n'))?.[1]
    ?.replace(/(?:"""|''').*$/, '')
    .trim();
  const shown = summary === undefined || summary === '' ? signature : `${signature}\n    # ${summary.slice(0, LONGEST_SUMMARY)}`;
  return { role: 'dependency', file: `${INSTALLED_FOLDER}/${file}`, startLine, endLine, name, text: shown, score: 0 };
}

/** Blank lines and comments between a header and its body are no part of the signature. */
function withoutTail(signature: string): string {
  const lines = signature.split('\n');
  while (lines.length > 1 && /^\s*(?:#|$)/.test(lines.at(-1) ?? '')) lines.pop();
  return lines.join('\n');
}
