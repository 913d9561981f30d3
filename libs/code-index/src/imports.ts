import type { PythonNode } from './python-syntax.js';
import { firstLine, holdsStatements, visitPython } from './visit-python.js';

/** One name that an import statement binds, anywhere in a file. */
export interface ImportBinding {
  /** The name in the importing file; `*` for a star import. */
  local: string;
  /** Dotted module as written, without leading dots; empty in `from . import x`. */
  module: string;
  /** Leading dots of a relative import; 0 for an absolute one. */
  level: number;
  /** The name taken out of the module; null when the module itself is bound. */
  imported: string | null;
  line: number;
}

/** All imports of a parsed file, those inside functions too, in source order. */
export function readImports(root: PythonNode): ImportBinding[] {
  const bindings: ImportBinding[] = [];
  visitPython(root, {
    enter(node) {
      const own = importsOf(node, node.type);
      if (own !== null) bindings.push(...own);
      return own === null && holdsStatements(node);
    },
  });
  return bindings;
}

/** What an import statement binds; null for every other node. `type` is the node's. */
export function importsOf(node: PythonNode, type: string): ImportBinding[] | null {
  if (type === 'import_statement') return plainImport(node);
  return type === 'import_from_statement' ? fromImport(node) : null;
}

function plainImport(node: PythonNode): ImportBinding[] {
  return importedNames(node.namedChildren).map(({ name: module, alias }) => {
    // `import a.b` binds `a`; `import a.b as c` binds `c` to `a.b`.
    return { local: alias ?? module.split('.')[0] ?? module, module, level: 0, imported: null, line: firstLine(node) };
  });
}

function fromImport(node: PythonNode): ImportBinding[] {
  // The module comes first, then what is taken out of it: one look at the children instead of one for each field.
  const [from, ...items] = node.namedChildren;
  const written = from?.text.replace(/\s/g, '') ?? '';
  const level = /^\.*/.exec(written)?.[0].length ?? 0;
  const module = written.slice(level);
  const line = firstLine(node);
  if (items.some((child) => child?.type === 'wildcard_import')) return [{ local: '*', module, level, imported: '*', line }];
  return importedNames(items).map(({ name, alias }) => ({ local: alias ?? name, module, level, imported: name, line }));
}

function importedNames(items: (PythonNode | null)[]): { name: string; alias: string | null }[] {
  return items.flatMap((item) => {
    if (item?.type === 'dotted_name') return [{ name: item.text, alias: null }];
    if (item?.type !== 'aliased_import') return [];
    const [name, alias] = item.namedChildren;
    return [{ name: name?.text ?? '', alias: alias?.text ?? null }];
  });
}

/** What a binding leads to. `file` is null for what the project does not hold. */
export interface ResolvedImport extends ImportBinding {
  file: string | null;
  /** True when `imported` is itself a module (`from package import module`). */
  isModule: boolean;
}

/**
 * Resolves imports among a project's Python files. Absolute names are looked up beside the importing file (as scripts do), then
 * below the root, `src`, and every folder that holds a package; relative ones by their dots.
 */
export function createImportResolver(files: string[]): (from: string, binding: ImportBinding) => ResolvedImport {
  const known = new Set(files);
  const roots = importRoots(files, known);
  const lookUp = (base: string, dotted: string): string | null => {
    const stem = [base, ...dotted.split('.')].filter((part) => part !== '').join('/');
    if (stem === '') return known.has('__init__.py') ? '__init__.py' : null;
    return [`${stem}.py`, `${stem}/__init__.py`].find((file) => known.has(file)) ?? null;
  };
  return (from, binding) => {
    const bases = binding.level > 0 ? [ancestor(from, binding.level)] : [ancestor(from, 1), ...roots];
    for (const base of bases) {
      if (base === null) continue;
      const name =
        binding.imported === null || binding.imported === '*' ? null : [binding.module, binding.imported].filter(Boolean).join('.');
      const asModule = name === null ? null : lookUp(base, name);
      const file = asModule ?? lookUp(base, binding.module);
      if (file !== null) return { ...binding, file, isModule: asModule !== null || binding.imported === null };
    }
    return { ...binding, file: null, isModule: false };
  };
}

function importRoots(files: string[], known: Set<string>): string[] {
  const roots = new Set(['', 'src']);
  for (const file of files) {
    if (!file.endsWith('/__init__.py')) continue;
    const parent = ancestor(file, 2) ?? '';
    if (!known.has(parent === '' ? '__init__.py' : `${parent}/__init__.py`)) roots.add(parent);
  }
  return [...roots];
}

/** The folder `level` steps above a file; null beyond the tree. */
function ancestor(file: string, level: number): string | null {
  const parts = file.split('/');
  return level > parts.length ? null : parts.slice(0, parts.length - level).join('/');
}
