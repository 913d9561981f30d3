import type { EvidenceRecord, Finding } from '@reenact/domain';
import { trialsOf } from '../arm-facts.js';
import { has, NAMES_SOURCE, NAMES_SUBJECT } from '../labels.js';
import { answered, type ConfirmInput, placeOf, type Rule, suspicion } from '../rule.js';
import type { CallSite } from '../script-flow.js';

const CODE = 'edits-the-subject';
const WRITERS = new Set([
  'os.remove',
  'os.unlink',
  'os.rename',
  'os.replace',
  'os.truncate',
  'os.symlink',
  'shutil.move',
  'shutil.copy',
  'shutil.copyfile',
  'shutil.copy2',
  'shutil.rmtree',
  'fileinput.input',
]);
const WRITING_METHODS = new Set(['write_text', 'write_bytes', 'unlink', 'rename', 'replace', 'rmdir', 'symlink_to']);
/** Files whose text decides what the subject does; outputs that a training overwrites are none. */
const DECIDING = /\.(?:py|pyi|pyx|ipynb|ya?ml|toml|cfg|ini|sh|json5?)$/i;

/** Writes to files of the subject that were there before. New files in its folder are no finding. */
export const editsTheSubject: Rule = {
  code: CODE,
  check(input) {
    return input.script.calls.filter(writesSource).map((call) =>
      suspicion(CODE, 'the script writes to a file of the subject', {
        ...placeOf(call),
      }),
    );
  },
  confirm(finding, input) {
    const trials = trialsOf(input, 'candidate');
    const changed = trials.flatMap(({ records }) => changedFiles(records)).filter((file) => DECIDING.test(file));
    if (changed.length > 0) return answered(finding, 'finding', `${changed[0] ?? ''} of the subject changed during a trial`);
    const checked =
      trials.length > 0 && trials.every(({ records }) => records.some((record) => record.kind === 'subject' && record.when === 'after'));
    return checked ? answered(finding, 'refuted', 'no file of the subject changed') : finding;
  },
  observe(input) {
    const found = new Map<string, Finding>();
    for (const { judged, records } of trialsOf(input, 'candidate')) {
      for (const file of [...changedFiles(records), ...noticedFiles(records, input)]) {
        // Written by the subject itself, as its authors run it, an output is no edit.
        const level = DECIDING.test(file) && !isOwnOutput(file) ? 'finding' : 'advice';
        found.set(file, { rule: CODE, level, message: `${file} of the subject changed during a trial`, evidence: `trial ${judged.trial}` });
      }
    }
    return [...found.values()];
  },
};

function isOwnOutput(file: string): boolean {
  return /\.json5?$/i.test(file);
}

function writesSource(call: CallSite): boolean {
  const callee = call.node.childForFieldName('function');
  const method = callee?.childForFieldName('attribute')?.text ?? '';
  const labels = call.arguments | call.callee;
  if (call.name === 'shutil.rmtree') return has(labels, NAMES_SUBJECT);
  if (call.name !== null && WRITERS.has(call.name)) return has(call.arguments, NAMES_SOURCE);
  if (call.name === null && WRITING_METHODS.has(method)) return has(labels, NAMES_SOURCE) && method !== 'replace';
  if (call.kind !== 'opens' || !has(labels, NAMES_SOURCE)) return false;
  const modes = [...(call.node.childForFieldName('arguments')?.namedChildren ?? [])].map((argument) => argument?.text ?? '');
  return modes.some((mode) => /^(?:mode\s*=\s*)?["'][rwxabt]*[wax+][rwxabt+]*["']$/.test(mode));
}

function changedFiles(records: readonly EvidenceRecord[]): string[] {
  return records
    .flatMap((record) => (record.kind === 'subject' ? record.changed : []))
    .filter((file) => !file.includes('__pycache__/') && !file.endsWith('.pyc'));
}

/** Files that the probe saw being opened for writing; also those that were put back before anybody looked. */
function noticedFiles(records: readonly EvidenceRecord[], input: ConfirmInput): string[] {
  const messages = records.flatMap((record) => (record.kind === 'notice' && record.code === 'subject-write' ? [record.message] : []));
  return [...input.subject.files].filter((file) =>
    messages.some((message) => message.split(/[\s'":]+/).some((word) => word === file || word.endsWith(`/${file}`))),
  );
}
