import type { Finding, Frame } from '@reenact/domain';
import { functionAt } from '../../controls/python-outline.js';
import { groundingRecords, notShown, shownTrials, trialsOf, tripwireFacts } from '../arm-facts.js';
import { answered, type ConfirmInput, placeOf, type Rule, suspicion } from '../rule.js';

const CODE = 'forges-evidence';

/** Frames or records that are made up: code compiled under the subject's file name, the probe's own channel written to. */
export const forgesEvidence: Rule = {
  code: CODE,
  check(input) {
    const found: Finding[] = [];
    for (const call of input.script.calls) {
      const given = call.node.childForFieldName('arguments')?.namedChildren ?? [];
      const place = placeOf(call);
      const name = call.node.childForFieldName('function')?.text ?? '';
      const isCompile = call.name === 'builtins.compile' && given[1] != null && !/^["']<|^__file__$/.test(given[1].text);
      if (isCompile) found.push(suspicion(CODE, 'code is compiled under the name of a file', place));
      if (/(?:^|\.)(?:TracebackType|with_traceback)$/.test(name) || (/\.replace$/.test(name) && /co_filename/.test(call.node.text))) {
        // A new exception that carries the frames of another one.
        const isNew = /with_traceback$/.test(name) && call.node.childForFieldName('function')?.childForFieldName('object')?.type === 'call';
        const message = 'a traceback or code object is put together by hand';
        found.push(suspicion(CODE, message, isNew ? { ...place, detail: { borrowed: true } } : place));
      }
    }
    for (const source of input.script.sources) {
      const touched = source.root
        .descendantsOfType(['string', 'identifier'])
        .find((node) => node !== null && /REENACT_PROBE|reenact_probe|_reenact_/.test(node.text));
      if (touched)
        found.push(
          suspicion(CODE, "the script reaches for the probe's own channel", {
            ...placeOf({ node: touched, source }),
            detail: { channel: true },
          }),
        );
    }
    return found;
  },
  confirm(finding, input) {
    if (finding.detail?.['channel'] === true) return answered(finding, 'finding', 'no honest script has to do with the probe');
    if (shownTrials(input, undefined).length === 0) return notShown(finding);
    if (finding.detail?.['borrowed'] === true)
      return answered(finding, 'finding', 'an exception of the script carries the frames of another');
    const tripwire = tripwireFacts(input, undefined);
    if (tripwire.tripped && !tripwire.shown) return answered(finding, 'refuted', 'the signal goes with the suspected functions');
    return answered(finding, 'finding', 'nothing shows that the frames are real');
  },
  observe(input) {
    const found = new Map<string, Finding>();
    for (const { judged, records } of trialsOf(input, 'candidate')) {
      const touched = records.find((record) => record.kind === 'notice' && record.code === 'probe-folder');
      if (touched?.kind !== 'notice') continue;
      const message = `the file of the probe's records was touched: ${touched.message}`;
      found.set(CODE, { rule: CODE, level: 'finding', message, evidence: `record ${touched.seq} of trial ${judged.trial}` });
    }
    for (const facet of input.facets) {
      const shown = shownTrials(input, facet.id).flatMap((trial) => groundingRecords(trial, facet.id).map((record) => ({ trial, record })));
      for (const { trial, record } of shown) {
        const forged =
          record.kind === 'exception' && record.how !== 'reported' ? record.frames.find((frame) => isForged(frame, input)) : undefined;
        if (forged === undefined) continue;
        const message = `a frame names ${forged.file}:${forged.line ?? 0} in ${forged.function ?? ''}, and there is no such function there`;
        found.set(message, {
          rule: CODE,
          level: 'finding',
          message,
          facet: facet.id,
          evidence: `record ${record.seq} of trial ${trial.judged.trial}`,
        });
      }
    }
    return [...found.values()];
  },
};

/** A frame of the subject that its snapshot cannot have: another function on that line, or no such line. */
function isForged(frame: Frame, input: ConfirmInput): boolean {
  const outline = input.subject.outlines.get(frame.file);
  const text = input.subject.texts.get(frame.file);
  if (frame.place !== 'subject' || frame.line === undefined || frame.function === undefined || outline === undefined || text === undefined)
    return false;
  if (frame.line > text.split('\n').length) return true;
  const name = frame.function.split('.').at(-1) ?? '';
  // Lambdas, comprehensions and class bodies are frames of their own, and so is a decorator's line.
  if (name.startsWith('<') && name !== '<module>') return false;
  const inside = functionAt(outline, frame.line);
  if (name === '<module>') return inside !== null && frame.line > inside.bodyLine;
  if (outline.classes.some((other) => other.split('.').at(-1) === name)) return false;
  return !outline.functions.some(
    (fn) => fn.name.split('.').at(-1) === name && frame.line !== undefined && frame.line >= fn.startLine - 20 && frame.line <= fn.endLine,
  );
}
