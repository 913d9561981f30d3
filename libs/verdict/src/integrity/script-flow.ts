import type { PythonNode, PythonSyntax, PythonTree } from '@reenact/code-index';
import type { ScriptFile } from '@reenact/domain';
import type { CallKind } from './known-calls.js';
import type { Labels } from './labels.js';
import { runScript } from './run-statements.js';
import { collectScopes, type Scopes, type ScriptSource } from './script-scopes.js';
import type { SubjectListing } from './subject-listing.js';

/** A call of the script with what could decide over it. */
export interface CallSite {
  node: PythonNode;
  source: ScriptSource;
  /** Canonical name by the script's imports, such as `numpy.mean`; null where the callee is no plain name. */
  name: string | null;
  kind: CallKind;
  callee: Labels;
  arguments: Labels;
  /** Labels of the branches, loops and handlers around it, and of its function's callers. */
  context: Labels;
}

/** A raise or assert statement, an assignment to an attribute or item, or a loop. */
export interface StatementSite {
  node: PythonNode;
  source: ScriptSource;
  labels: Labels;
  context: Labels;
}

/** Result of following the values of a script: which could come from the subject, and where they go. */
export interface ScriptFlow {
  sources: readonly ScriptSource[];
  subject: SubjectListing;
  scopes: Scopes;
  bindings: Map<string, Labels>;
  attributes: Map<string, Labels>;
  returns: Map<string, Labels>;
  /** Labels of the places from which a function is called. */
  entries: Map<string, Labels>;
  calls: CallSite[];
  statements: StatementSite[];
  /** Whether some name, launch or import of the script reaches the subject at all. */
  reachesSubject: boolean;
  labelsOf(node: PythonNode, source: ScriptSource): Labels;
  /** Frees the syntax trees; nothing of the flow may be used afterwards. */
  dispose(): void;
}

/** State while the flow is being worked out. */
export interface FlowState extends Omit<ScriptFlow, 'labelsOf' | 'dispose'> {
  context: Labels;
  /** Union of the labels of every call since it was last reset: what a `try` body depends on. */
  seen: Labels;
  changed: boolean;
  collecting: boolean;
  function: string | null;
}

/** Scripts above this size are not followed; people's reproductions have some hundred lines. */
const TEXT_LIMIT = 262_144;

/**
 * Parses the Python files of a script and follows its values to a fixed point.
 * @returns null for a script that is too large, or nested too deeply to be followed
 */
export function followScript(python: PythonSyntax, files: readonly ScriptFile[], subject: SubjectListing): ScriptFlow | null {
  const readable = files.filter((file) => file.path.endsWith('.py'));
  if (readable.reduce((sum, file) => sum + file.text.length, 0) > TEXT_LIMIT) return null;
  const trees: PythonTree[] = [];
  const dispose = (): void => trees.forEach((tree) => tree.delete());
  const sources = readable.map((file): ScriptSource => {
    const tree = python.parse(file.text);
    trees.push(tree);
    return { file, root: tree.rootNode };
  });
  try {
    const state = initialState(sources, subject);
    const labelsOf = runScript(state);
    return { ...state, labelsOf, dispose };
  } catch (error) {
    dispose();
    // The call stack ended: Python itself gives up on most of such texts.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function initialState(sources: readonly ScriptSource[], subject: SubjectListing): FlowState {
  return {
    sources,
    subject,
    scopes: collectScopes(sources),
    bindings: new Map(),
    attributes: new Map(),
    returns: new Map(),
    entries: new Map(),
    calls: [],
    statements: [],
    reachesSubject: false,
    context: 0,
    seen: 0,
    changed: false,
    collecting: false,
    function: null,
  };
}
