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
      if (node.type === 'import_statement') bindings.push(...plainImport(node));
      else if (node.type === 'import_from_statement') bindings.push(...fromImport(node));
      else return holdsStatements(node);
      return false;
    },
  });
  return bindings;
}

function plainImport(node: PythonNode): ImportBinding[] {
  return node.childrenForFieldName('name').flatMap((item) => {
    if (item === null) return [];
    const alias = item.childForFieldName('alias')?.text;
    const module = (item.type === 'aliased_import' ? item.childForFieldName('name') : item)?.text ?? '';
    // `import a.b` binds `a`; `import a.b as c` binds `c` to `a.b`.
    return [{ local: alias ?? module.split('.')[0] ?? module, module, level: 0, imported: null, line: firstLine(node) }];
  });
}

function fromImport(node: PythonNode): ImportBinding[] {
  const written = node.childForFieldName('module_name')?.text.replace(/\s/g, '') ?? '';
  const level = /^\.*/.exec(written)?.[0].length ?? 0;
  const module = written.slice(level);
  const line = firstLine(node);
  if (node.namedChildren.some((child) => child?.type === 'wildcard_import')) return [{ local: '*', module, level, imported: '*', line }];
  return node.childrenForFieldName('name').flatMap((item) => {
    if (item === null) return [];
    const imported = (item.type === 'aliased_import' ? item.childForFieldName('name') : item)?.text ?? '';
    return [{ local: item.childForFieldName('alias')?.text ?? imported, module, level, imported, line }];
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
