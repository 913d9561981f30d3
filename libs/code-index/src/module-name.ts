/** Dotted module name of a Python file by its path: `src/pkg/train.py` → `pkg.train`, `pkg/__init__.py` → `pkg`. */
export function moduleName(file: string): string {
  const parts = file.replace(/\.[^./]+$/, '').split('/');
  if (parts.length > 1 && parts.at(-1) === '__init__') parts.pop();
  if (parts.length > 1 && parts[0] === 'src') parts.shift();
  return parts.join('.');
}

/** Folder of a file, relative to the tree; empty for the root. Files of one folder make one module. */
export function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '';
}
