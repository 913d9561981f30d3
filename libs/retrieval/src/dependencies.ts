import type { CodeIndex, Definition, ResolvedImport } from '@reenact/code-index';
import type { ContextBlock } from '@reenact/domain';
import { lookupsOf } from './code-lookups.js';
import { resolveName } from './dependency-names.js';
import type { Installed, OuterName } from './installed-signatures.js';

/** Longer bodies are shown by their signature only (method.md section 1.9–1.10). */
const LONGEST_BODY_LINES = 60;
/** Definitions looked at per context: the budget holds some twenty. */
const MOST_DEFINITIONS = 200;

const WORD = /[\p{L}_][\p{L}\p{N}_]*/gu;

/**
 * What the shown blocks use, most telling first: the import statements of what the project does not hold (they say what a bare
 * `SGD` is); the project's definitions, in the order of the blocks, those of the same file and then in the order of its imports, with their body up to 60 lines, else by their
 * signature, classes by their shell; signatures of other packages, where `installed` holds them; last the signatures of what the
 * project's definitions use in turn (depth 2).
 */
export async function dependencyBlocks(code: CodeIndex, shown: ContextBlock[], installed: Installed): Promise<ContextBlock[]> {
  const first = usedDefinitions(code, shown);
  const near = first.map((definition) => dependencyBlock(code, definition));
  const known = new Set(first.map(keyOf));
  const second = usedDefinitions(code, near).filter((definition) => !known.has(keyOf(definition)));
  const outer = await installed.blocksOf(outerNames(code, shown));
  return [...outerImports(code, shown), ...near, ...outer, ...second.map(signatureBlock)];
}

function keyOf({ file, startLine, name }: Definition): string {
  return `${file}:${startLine} ${name}`;
}

/** Texts of the blocks of each file, in the order in which the files come up. */
function textsByFile(shown: ContextBlock[]): Map<string, string> {
  return new Map([...Map.groupBy(shown, (block) => block.file)].map(([file, blocks]) => [file, blocks.map(({ text }) => text).join('\n')]));
}

function usedDefinitions(code: CodeIndex, shown: ContextBlock[]): Definition[] {
  const used = new Map<string, Definition>();
  for (const [file, blocks] of Map.groupBy(shown, (block) => block.file)) {
    const text = blocks.map((block) => block.text).join('\n');
    for (const definition of [...ownDefinitions(code, file, { blocks, text }), ...importedDefinitions(code, file, text)])
      used.set(keyOf(definition), definition);
    if (used.size >= MOST_DEFINITIONS) break;
  }
  return [...used.values()].slice(0, MOST_DEFINITIONS);
}

/** What a file's shown blocks use of the file itself: its functions and classes by their name, methods of the same class by `self`. */
function ownDefinitions(code: CodeIndex, file: string, { blocks, text }: { blocks: ContextBlock[]; text: string }): Definition[] {
  const words = new Set(text.match(WORD) ?? []);
  const selves = new Set(attributesOf(text, 'self').map((tail) => tail.split('.', 1)[0] ?? ''));
  const classes = new Set(blocks.map(({ name }) => name.slice(0, Math.max(0, name.lastIndexOf('.')))));
  return (lookupsOf(code).definitions.get(file) ?? []).filter(({ name, startLine, endLine }) => {
    if (blocks.some((block) => block.startLine <= startLine && block.endLine >= endLine)) return false;
    const dot = name.lastIndexOf('.');
    return dot < 0 ? words.has(name) : classes.has(name.slice(0, dot)) && selves.has(name.slice(dot + 1));
  });
}

function importedDefinitions(code: CodeIndex, file: string, text: string): Definition[] {
  const words = new Set(text.match(WORD) ?? []);
  return (code.imports.get(file) ?? []).flatMap((item) => {
    const target = item.file;
    if (target === null || target === file) return [];
    return wantedNames(item, words, text).flatMap((name) => resolveName(code, target, name));
  });
}

/** The names that a text takes out of an imported module or by an imported name. */
function wantedNames(item: ResolvedImport, words: Set<string>, text: string): string[] {
  if (item.imported === '*') return [...words];
  if (!words.has(item.local)) return [];
  return item.isModule ? attributesOf(text, chainOf(item)) : [item.imported ?? ''];
}

/** How the module is written in the text: `import a.b` is used as `a.b`, `import a.b as c` as `c`. */
function chainOf(item: ResolvedImport): string {
  const isWhole = item.imported === null && item.local === item.module.split('.', 1)[0];
  return isWhole ? item.module : item.local;
}

const TAIL = /^[\p{L}_][\p{L}\p{N}_]{0,80}(?:\.[\p{L}_][\p{L}\p{N}_]{0,80}){0,3}/u;

/** What stands after `chain.` in a text: `x`, `x.y`. */
function attributesOf(text: string, chain: string): string[] {
  const names = new Set<string>();
  const start = `${chain}.`;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + start.length)) {
    const name = TAIL.exec(text.slice(at + start.length, at + start.length + 400))?.[0];
    if (name !== undefined && !/[\p{L}\p{N}_.]/u.test(text[at - 1] ?? ' ')) names.add(name);
  }
  return [...names];
}

function dependencyBlock(code: CodeIndex, definition: Definition): ContextBlock {
  const { file, name, startLine, endLine } = definition;
  const isShort = definition.kind === 'class' || endLine - startLine < LONGEST_BODY_LINES;
  const chunks = isShort ? (lookupsOf(code).chunks.get(file) ?? []) : [];
  const chunk = chunks.find((item) => item.startLine === startLine && item.name === name);
  return chunk === undefined
    ? signatureBlock(definition)
    : { role: 'dependency', file, startLine, endLine, name, text: chunk.text, score: 0 };
}

function signatureBlock({ file, name, startLine, endLine, signature }: Definition): ContextBlock {
  return { role: 'dependency', file, startLine, endLine, name, text: signature, score: 0 };
}

/** Imports of what the project does not hold that a shown text uses. */
function outerItems(code: CodeIndex, file: string, text: string): ResolvedImport[] {
  const words = new Set(text.match(WORD) ?? []);
  return (code.imports.get(file) ?? []).filter((item) => item.file === null && words.has(item.local));
}

/** Names of other packages that shown blocks use, in the order of the blocks and of the imports, each once. */
function outerNames(code: CodeIndex, shown: ContextBlock[]): OuterName[] {
  const names = [...textsByFile(shown)].flatMap(([file, text]) =>
    outerItems(code, file, text).flatMap((item) => {
      const tails = attributesOf(text, chainOf(item));
      if (item.level > 0 || item.imported === '*') return [];
      if (item.imported === null) return tails.map((name) => ({ module: item.module, name }));
      // `from torch import nn` binds a module, `from torch.optim import SGD` a class: only what is used tells.
      return [item.imported, ...tails.map((tail) => `${item.imported ?? ''}.${tail}`)].map((name) => ({ module: item.module, name }));
    }),
  );
  return [...new Map(names.map((name) => [`${name.module} ${name.name}`, name])).values()];
}

/** One block for each shown file: the imports of what the project does not hold and the shown text uses, a statement for each name. */
function outerImports(code: CodeIndex, shown: ContextBlock[]): ContextBlock[] {
  return [...textsByFile(shown)].flatMap(([file, text]) => {
    const blocks = shown.filter((block) => block.file === file);
    const isShown = (line: number): boolean => blocks.some((block) => block.startLine <= line && block.endLine >= line);
    const used = outerItems(code, file, text).filter((item) => !isShown(item.line));
    const lines = used.map((item) => item.line);
    if (lines.length === 0) return [];
    const range = { startLine: Math.min(...lines), endLine: Math.max(...lines) };
    return [{ role: 'dependency', file, ...range, name: 'imports', text: [...new Set(used.map(importText))].join('\n'), score: 0 }];
  });
}

function importText({ local, module, level, imported }: ResolvedImport): string {
  if (imported === null) return local === module.split('.', 1)[0] ? `import ${module}` : `import ${module} as ${local}`;
  const renamed = local === imported ? imported : `${imported} as ${local}`;
  return `from ${'.'.repeat(level)}${module} import ${renamed}`;
}
