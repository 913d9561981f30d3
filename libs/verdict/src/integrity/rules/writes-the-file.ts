import { walkPython, type PythonNode } from '@reenact/code-index';
import type { Facet, OracleOf } from '@reenact/domain';
import { controlState, notShown, persistence, shownTrials } from '../arm-facts.js';
import { FROM_SOURCE, FROM_SUBJECT, has } from '../labels.js';
import { answered, placeOf, type Rule, suspicion } from '../rule.js';
import type { CallSite } from '../script-flow.js';
import type { ScriptSource } from '../script-scopes.js';

const CODE = 'writes-the-file';
const WRITERS =
  /^(?:os\.(?:rename|replace|remove|unlink|truncate|link|symlink)|shutil\.(?:copy|copy2|copyfile|copyfileobj|copytree|move|rmtree)|numpy\.(?:save|savez|savez_compressed|savetxt)|torch\.save)$/;
const WRITING_METHODS = /^(?:write_text|write_bytes|touch|unlink|rename|replace|tofile|symlink_to|hardlink_to)$/;
const OPENERS = /^(?:builtins|io|codecs)\.open$|^zipfile\.ZipFile$|^os\.open$/;
const WRITE_MODE = /^[rb]?[wax]|\+|O_(?:WRONLY|RDWR|CREAT|TRUNC)/;

/** A file is claimed, and the script itself writes, moves or removes what may be that file. */
export const writesTheFile: Rule = {
  code: CODE,
  check(input) {
    const writes = input.script.calls.filter(isWrite);
    return input.facets.flatMap((facet) => {
      const names = fileNames(facet);
      if (names.length === 0) return [];
      return writes
        .filter((call) => mayBe(call, names))
        .map((call) =>
          suspicion(CODE, 'the script itself writes, moves or removes what may be the claimed file', {
            ...placeOf(call),
            facet: facet.id,
            detail: { decided: isDecided(call, input.script.calls) },
          }),
        );
    });
  },
  confirm(finding, input) {
    if (shownTrials(input, finding.facet).length === 0) return notShown(finding);
    const persists = persistence(input, finding.facet);
    if (persists !== null) return answered(finding, 'finding', persists);
    // What the script writes either way cannot be there on one tree and not on the other.
    if (finding.detail?.['decided'] !== true && controlState(input, finding.facet) === 'absent')
      return answered(finding, 'refuted', 'the script writes the same in the control arm, and the signal is absent there');
    return answered(finding, 'finding', 'nothing tells what the subject wrote from what the script wrote');
  },
};

/** Whether anything but the script may decide over the write or over what is written; of a handle that is kept nobody knows. */
function isDecided(call: CallSite, calls: readonly CallSite[]): boolean {
  if (has(call.callee | call.arguments | call.context, FROM_SUBJECT | FROM_SOURCE)) return true;
  if (call.name === null || !OPENERS.test(call.name)) return false;
  const chained = calls.find(
    ({ node }) =>
      node.childForFieldName('function')?.childForFieldName('object')?.startIndex === call.node.startIndex &&
      node.endIndex > call.node.endIndex,
  );
  return chained === undefined || has(chained.arguments | chained.context, FROM_SUBJECT | FROM_SOURCE);
}

function fileNames(facet: Facet): string[] {
  return facet.oracles
    .filter((oracle): oracle is OracleOf<'file'> => oracle.kind === 'file')
    .flatMap(({ path }) => path?.split('/').at(-1) ?? []);
}

function isWrite(call: CallSite): boolean {
  if (call.name !== null && WRITERS.test(call.name)) return true;
  const method = call.node.childForFieldName('function')?.childForFieldName('attribute')?.text ?? '';
  if (WRITING_METHODS.test(method)) return true;
  const opens = (call.name !== null && OPENERS.test(call.name)) || method === 'open';
  return opens && given(call).some((argument) => WRITE_MODE.test(argument.text.replace(/^mode\s*=\s*/, '').replace(/^["']|["']$/g, '')));
}

function given(call: CallSite): PythonNode[] {
  const nodes = call.node.childForFieldName('arguments')?.namedChildren ?? [];
  // The path itself may begin with any letter.
  return nodes.slice(call.name === null ? 0 : 1).filter((node): node is PythonNode => node !== null);
}

/** Whether a write may be of one of the files: it names it, or it names no file at all. */
function mayBe(call: CallSite, names: readonly string[]): boolean {
  const files = literalsNear(call.node, call.source).filter((text) => /\.\w{1,12}$/.test(text));
  return files.length === 0 || files.some((text) => names.includes(text.split('/').at(-1) ?? ''));
}

/** String literals of the call, and of what its names are assigned. */
function literalsNear(node: PythonNode, source: ScriptSource): string[] {
  const inner = [...walkPython(node)];
  const names = new Set(inner.filter((child) => child.type === 'identifier').map((child) => child.text));
  const assigned = [...walkPython(source.root)].filter(
    (other) => other.type === 'assignment' && names.has(other.childForFieldName('left')?.text ?? ''),
  );
  const all = [...inner, ...assigned.flatMap((other) => [...walkPython(other)])];
  return all.filter((child) => child.type === 'string_content').map((child) => child.text);
}
