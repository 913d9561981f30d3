import type { Definition } from '@reenact/code-index';
import type { ContextBlock } from '@reenact/domain';
import type { TreeIndex } from './tree-index.js';

/** Longer bodies are shown by their signature only (method.md section 1.9–1.10). */
const LONGEST_BODY_LINES = 60;

/**
 * Definitions of the project that the shown blocks use by import (distance 1), in the order of the imports: functions with their
 * body up to 60 lines, else their signature; classes by their shell.
 */
export function dependencyBlocks(tree: TreeIndex, shown: ContextBlock[]): ContextBlock[] {
  const blocks: ContextBlock[] = [];
  for (const file of new Set(shown.map((block) => block.file))) {
    const words = new Set(shown.filter((block) => block.file === file).flatMap((block) => block.text.match(/[\p{L}\p{N}_]+/gu) ?? []));
    for (const item of tree.code.imports.get(file) ?? []) {
      if (item.file === null || item.file === file || !(words.has(item.local) || item.local === '*')) continue;
      const target = item.file;
      const wanted = item.isModule || item.imported === '*' ? words : new Set([item.imported ?? '']);
      const found = tree.code.definitions.filter((definition) => definition.file === target && wanted.has(definition.name));
      blocks.push(...found.map((definition) => dependencyBlock(tree, definition)));
    }
  }
  return blocks;
}

function dependencyBlock(tree: TreeIndex, definition: Definition): ContextBlock {
  const { file, name, startLine, endLine } = definition;
  const chunk = tree.code.chunks.find((item) => item.file === file && item.startLine === startLine && item.name === name);
  const isShort = definition.kind === 'class' || endLine - startLine < LONGEST_BODY_LINES;
  const text = isShort && chunk !== undefined ? chunk.text : definition.signature;
  return { role: 'dependency', file, startLine, endLine, name, text, score: 0 };
}
