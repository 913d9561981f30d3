import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@reenact/domain';
import { walkPython, type PythonNode, type PythonSyntax } from '@reenact/code-index';
import { qualifiedName } from './python-outline.js';
import { readSourceText } from './read-source-text.js';
import type { Suspect } from './suspects.js';

/** A whole definition that is to stand in the place of a suspected one. */
export interface ProposedFunction extends Suspect {
  text: string;
}

const MOST_BYTES = 40_000;
/** Least share of the calls of the old definition that the new one must still make: it mends a function, it does not empty it. */
const LEAST_KEPT_CALLS = 0.5;
/**
 * Ways by which a definition could make a signal vanish without being correct: it ends the program, prints, waits, reaches
 * into other processes, into files or into the interpreter, or hides errors of others.
 */
const UNWANTED_NAMES =
  /^(?:print|exit|quit|open|input|exec|eval|compile|globals|locals|vars|setattr|delattr|__import__|breakpoint|help|reenact|os|sys|subprocess|signal|inspect|gc|ctypes|importlib|builtins|socket|shutil|pathlib|threading|multiprocessing|time|atexit|faulthandler)$/;

/**
 * Puts proposed definitions in the place of suspected ones, in a private copy of the subject (verdict.md section 7,
 * counter-check c). Nothing outside of these definitions changes; decorators, name and parameters stay.
 * @param directory a private copy, changed in place
 * @param suspects the only functions that may be replaced
 * @throws AppError `patch-does-not-apply` saying what is wrong with the proposal
 */
export async function replaceFunctions(
  python: PythonSyntax,
  directory: string,
  proposal: { suspects: readonly Suspect[]; functions: readonly ProposedFunction[] },
): Promise<void> {
  if (proposal.functions.length === 0) throw refused('no function was proposed');
  for (const proposed of proposal.functions) {
    const isSuspect = proposal.suspects.some(({ file, function: name }) => file === proposed.file && name === proposed.function);
    if (!isSuspect) throw refused(`${place(proposed)} is not suspected`);
    const text = await readSourceText(directory, proposed.file);
    if (text === null) throw refused(`${place(proposed)}: no such file in UTF-8`);
    await writeFile(join(directory, proposed.file), replaceFunction(python, text, proposed));
  }
}

/** The text with one definition replaced; pure. @throws AppError `patch-does-not-apply` */
export function replaceFunction(python: PythonSyntax, text: string, proposed: ProposedFunction): string {
  if (Buffer.byteLength(proposed.text) > MOST_BYTES) throw refused(`${place(proposed)}: the proposal is too long`);
  const old = definitionIn(python, text, (node) => qualifiedName(node) === proposed.function);
  if (old === null) throw refused(`${place(proposed)}: the subject has no such function, or several`);
  const made = definitionIn(
    python,
    dedent(proposed.text),
    (node) => node.parent?.type === 'module' || node.parent?.parent?.type === 'module',
  );
  if (made === null) throw refused(`${place(proposed)}: the proposal is not one whole definition`);
  if (made.name !== old.name || made.parameters !== old.parameters)
    throw refused(`${place(proposed)}: the proposal has another name or other parameters`);
  const unwanted = [...made.names].find((name) => UNWANTED_NAMES.test(name) && !old.names.has(name));
  if (unwanted !== undefined) throw refused(`${place(proposed)}: the proposal uses \`${unwanted}\`, which the function did not`);
  if (made.handlers > old.handlers) throw refused(`${place(proposed)}: the proposal catches errors that the function did not`);
  const kept = [...old.calls].filter((call) => made.calls.has(call)).length;
  if (kept < LEAST_KEPT_CALLS * old.calls.size) throw refused(`${place(proposed)}: the proposal leaves out most of what the function does`);
  if (squeeze(made.text) === squeeze(old.text)) throw refused(`${place(proposed)}: the proposal changes nothing`);
  const lines = made.text.split('\n').map((line, index) => (index === 0 || line.trim() === '' ? line : old.indent + line));
  const edited = text.slice(0, old.start) + lines.join('\n') + text.slice(old.end);
  const check = python.parse(edited);
  const broken = check.rootNode.hasError;
  check.delete();
  if (broken) throw refused(`${place(proposed)}: the file would no longer parse`);
  return edited;
}

interface Definition {
  name: string;
  parameters: string;
  text: string;
  start: number;
  end: number;
  indent: string;
  names: Set<string>;
  calls: Set<string>;
  handlers: number;
}

/** The only definition that fits; null where there is none or more than one. */
function definitionIn(python: PythonSyntax, text: string, fits: (node: PythonNode) => boolean): Definition | null {
  const tree = python.parse(text);
  try {
    const found = [...walkPython(tree.rootNode)].filter((node) => node.type === 'function_definition' && fits(node));
    const [only] = found;
    return only === undefined || found.length > 1 || only.hasError ? null : describe(text, only);
  } finally {
    tree.delete();
  }
}

function describe(text: string, node: PythonNode): Definition {
  const inside = [...walkPython(node)];
  const lineStart = text.lastIndexOf('\n', node.startIndex - 1) + 1;
  return {
    name: node.childForFieldName('name')?.text ?? '',
    parameters: squeeze(node.childForFieldName('parameters')?.text ?? ''),
    text: node.text,
    start: node.startIndex,
    end: node.endIndex,
    indent: /^\s*/.exec(text.slice(lineStart, node.startIndex))?.[0] ?? '',
    names: new Set(inside.filter(({ type }) => type === 'identifier').map((part) => part.text)),
    calls: new Set(inside.filter(({ type }) => type === 'call').map((call) => call.childForFieldName('function')?.text ?? '')),
    handlers: inside.filter(({ type }) => type === 'except_clause' || type === 'except_group_clause').length,
  };
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}

function dedent(text: string): string {
  const lines = text.replace(/^\n+|\s+$/g, '').split('\n');
  const margin = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)![0].length));
  return lines.map((line) => line.slice(Number.isFinite(margin) ? margin : 0)).join('\n');
}

function place({ file, function: name }: Suspect): string {
  return `${file}:${name}`;
}

function refused(message: string): AppError {
  return new AppError('patch-does-not-apply', message);
}
