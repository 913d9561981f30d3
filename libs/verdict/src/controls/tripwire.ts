import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@reenact/domain';
import { walkPython, type PythonNode, type PythonSyntax } from '@reenact/code-index';
import { qualifiedName } from './python-outline.js';
import { readSourceText } from './read-source-text.js';
import { MODULE_SUSPECT, type Suspect } from './suspects.js';
import { tripwireStatement } from './tripwire-statement.js';

export interface TripwireResult {
  wired: Suspect[];
  /** Suspects that could not be wired, each with the reason. */
  unwired: { suspect: Suspect; reason: string }[];
}

/**
 * Edits a private copy of the subject so that every suspect raises `RuntimeError("reenact-tripwire-<sentinel>")` as its
 * first statement, after the docstring. Line numbers stay, except where the first statement is a compound one.
 * @param directory a private copy, changed in place
 * @param sentinel random letters and digits of this trial set, unknown to the script
 * @throws AppError `internal` for a sentinel that holds anything else
 */
export async function buildTripwire(
  python: PythonSyntax,
  directory: string,
  suspects: readonly Suspect[],
  sentinel: string,
): Promise<TripwireResult> {
  if (!/^[A-Za-z0-9]{8,64}$/.test(sentinel)) throw new AppError('internal', 'a sentinel is 8 to 64 letters and digits');
  const result: TripwireResult = { wired: [], unwired: [] };
  for (const file of new Set(suspects.map((suspect) => suspect.file))) {
    const own = suspects.filter((suspect) => suspect.file === file);
    const text = await readSourceText(directory, file);
    if (text === null) {
      result.unwired.push(...own.map((suspect) => ({ suspect, reason: 'no such UTF-8 text file in the tree' })));
      continue;
    }
    let edited = text;
    for (const suspect of own) {
      const wired = wireText(python, edited, suspect, sentinel);
      if ('reason' in wired) result.unwired.push({ suspect, reason: wired.reason });
      else {
        edited = wired.text;
        result.wired.push(suspect);
      }
    }
    if (edited !== text) await writeFile(join(directory, file), edited);
  }
  return result;
}

/** Wires one suspect in a text, every definition of that name; pure. */
export function wireText(python: PythonSyntax, text: string, suspect: Suspect, sentinel: string): { text: string } | { reason: string } {
  const tree = python.parse(text);
  let edited: string;
  const hadErrors = tree.rootNode.hasError;
  try {
    const blocks = suspect.function === MODULE_SUSPECT ? [tree.rootNode] : bodiesOf(tree.rootNode, suspect.function);
    if (blocks.length === 0) return { reason: 'no such function in the file' };
    const statement = tripwireStatement(sentinel, suspect);
    const edits = blocks.map((block) => editOf(text, block, statement)).sort((a, b) => b.at - a.at);
    edited = edits.reduce((current, edit) => current.slice(0, edit.at) + edit.insert + current.slice(edit.at), text);
  } finally {
    tree.delete();
  }
  const check = python.parse(edited);
  const broken = check.rootNode.hasError && !hadErrors;
  check.delete();
  return broken ? { reason: 'the file would no longer parse' } : { text: edited };
}

function bodiesOf(root: PythonNode, name: string): PythonNode[] {
  const bodies: PythonNode[] = [];
  for (const node of walkPython(root)) {
    if (node.type !== 'function_definition' || qualifiedName(node) !== name) continue;
    const body = node.childForFieldName('body');
    if (body !== null && body.namedChildCount > 0) bodies.push(body);
  }
  return bodies;
}

const SIMPLE_STATEMENTS = new Set([
  'expression_statement',
  'return_statement',
  'pass_statement',
  'raise_statement',
  'assert_statement',
  'delete_statement',
  'global_statement',
  'nonlocal_statement',
  'import_statement',
  'import_from_statement',
  'break_statement',
  'continue_statement',
  'print_statement',
  'exec_statement',
  'type_alias_statement',
]);

/** Where the statement goes: behind the docstring and `from __future__` lines, else before the first statement. */
function editOf(text: string, block: PythonNode, statement: string): { at: number; insert: string } {
  const statements = block.namedChildren.filter((child) => child !== null && child.type !== 'comment') as PythonNode[];
  const heads = statements.findIndex((child, index) => !(index === 0 && isDocstring(child)) && child.type !== 'future_import_statement');
  const head = statements[(heads === -1 ? statements.length : heads) - 1];
  if (head !== undefined) return { at: head.endIndex, insert: `; ${statement}` };
  const first = statements[0];
  if (first === undefined) return { at: text.length, insert: `${text === '' || text.endsWith('\n') ? '' : '\n'}${statement}\n` };
  if (SIMPLE_STATEMENTS.has(first.type)) return { at: first.startIndex, insert: `${statement}; ` };
  const lineStart = text.lastIndexOf('\n', first.startIndex - 1) + 1;
  const indent = text.slice(lineStart, first.startIndex).replace('\ufeff', '');
  const endOfLine = text.slice(0, first.startIndex).includes('\r\n') ? '\r\n' : '\n';
  return { at: first.startIndex, insert: `${statement}${endOfLine}${indent}` };
}

function isDocstring(node: PythonNode): boolean {
  const only = node.type === 'expression_statement' && node.namedChildCount === 1 ? node.namedChild(0) : null;
  return only?.type === 'string' && !only.namedChildren.some((part) => part?.type === 'interpolation');
}
