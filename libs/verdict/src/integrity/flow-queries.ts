import type { PythonNode } from '@reenact/code-index';
import { canonicalName } from './expression-labels.js';
import type { ScriptFlow } from './script-flow.js';
import type { ScriptSource } from './script-scopes.js';

/** Canonical dotted name of a node by the script's imports, or null. */
export function canonicalOf(flow: ScriptFlow, node: PythonNode | null, source: ScriptSource): string | null {
  return canonicalName(flow, node, source);
}

/** The innermost simple statement that covers a line (from 1), or the head of a compound one. */
export function innermostStatement(source: ScriptSource, line: number): PythonNode | null {
  let found: PythonNode | null = null;
  const pending: PythonNode[] = [source.root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.startPosition.row + 1 > line || node.endPosition.row + 1 < line) continue;
    if (/_statement$|_definition$/.test(node.type) && (found === null || node.startIndex >= found.startIndex)) found = node;
    for (const child of node.namedChildren) if (child !== null) pending.push(child);
  }
  return found;
}
