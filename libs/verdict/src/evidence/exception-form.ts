import { isLauncherType, tellsOfLostChild, typeName, type EvidenceOf, type Frame } from '@reenact/domain';
import type { EvidenceView } from './evidence-view.js';
import { placeOfPrintedFile, readTracebacks } from './traceback-text.js';

/** One exception in one of its forms: as recorded, as the cause of a recorded one, or as a launcher passes it on. */
export interface ExceptionForm {
  seq: number;
  t: number;
  pid: number | undefined;
  rank: number | undefined;
  type: string;
  bases: string[];
  message: string;
  frames: Frame[];
  how: EvidenceOf<'exception'>['how'];
  form: 'recorded' | 'cause' | 'passed-on';
}

/** Code objects that a text gave: `exec`, `eval`, standard input. */
const FROM_TEXT = /^<(?:string|stdin|unknown|input|ast|lambda)>$/;
/** Where nothing is but what ran wrote there. */
const SCRATCH = /^\/(?:tmp|dev\/shm)\//;
/** Wrappers that libraries make from a text, called by the subject's own line. */
const LIBRARY_WRAPPER = /^<(?:__array_function__ internals|attrs generated|decorator-gen|class )/;

/** A callback that is no file of anybody: handed to the subject by the script, unless the subject makes code from texts. */
function isForeign(frame: Frame | undefined, isInnermost: boolean): boolean {
  if (frame?.place !== 'other') return false;
  if (FROM_TEXT.test(frame.file) || SCRATCH.test(frame.file)) return true;
  return isInnermost && frame.file.startsWith('<') && !LIBRARY_WRAPPER.test(frame.file);
}

/**
 * Whose code raised it: the innermost frame that is the subject's or the script's own; `outside` where neither is there,
 * or where the subject only called into code that was made from a text.
 */
export function raisedBelow(frames: readonly Frame[]): 'subject' | 'script' | 'outside' {
  const index = frames.findLastIndex((frame) => frame.place === 'subject' || frame.place === 'script');
  const place = frames[index]?.place;
  if (place !== 'subject' && place !== 'script') return 'outside';
  return place === 'subject' && isForeign(frames[index + 1], index + 2 === frames.length) ? 'outside' : place;
}

function passedOn(record: EvidenceOf<'exception'>, view: EvidenceView): ExceptionForm[] {
  if (!record.message.includes('Traceback (most recent call last):')) return [];
  return readTracebacks(record.message).map((printed) => ({
    ...commonOf(record),
    type: printed.type,
    bases: [],
    message: printed.message,
    frames: printed.frames.map((frame) => ({ ...frame, place: placeOfPrintedFile(frame.file, view.subjectFiles) })),
    form: 'passed-on',
  }));
}

function commonOf(record: EvidenceOf<'exception'>): Pick<ExceptionForm, 'seq' | 't' | 'pid' | 'rank' | 'how'> {
  return { seq: record.seq, t: record.t, pid: record.pid, rank: record.rank, how: record.how };
}

/** A loader that lost its worker tells only in its cause how the worker ended: the cause's words at the loader's place. */
function lostChild(recorded: ExceptionForm, record: EvidenceOf<'exception'>): ExceptionForm[] {
  const cause = record.causes[0];
  const isLoss = cause?.link === 'cause' && tellsOfLostChild(record) && tellsOfLostChild(cause);
  return isLoss ? [{ ...recorded, message: cause.message }] : [];
}

/**
 * All forms of one record. A cause counts where it was raised on purpose (`raise … from`) or where the script re-raised;
 * what the subject itself handled and replaced by another exception is history, not the symptom.
 */
export function formsOf(record: EvidenceOf<'exception'>, view: EvidenceView): ExceptionForm[] {
  const common = commonOf(record);
  const replacedByScript = raisedBelow(record.frames) === 'script';
  const causes = record.causes
    .filter((cause) => cause.link === 'cause' || replacedByScript || isLauncherType(record.type))
    .map((cause): ExceptionForm => ({
      ...common,
      type: cause.type,
      bases: [],
      message: cause.message,
      frames: cause.frames,
      form: 'cause',
    }));
  const recorded: ExceptionForm = {
    ...common,
    type: record.type,
    bases: record.bases,
    message: record.message,
    frames: record.frames,
    form: 'recorded',
  };
  return [recorded, ...lostChild(recorded, record), ...causes, ...passedOn(record, view)];
}

/** Type, first line of the message and the innermost frame of the subject, for people. */
export function describeException(exception: { type: string; message: string; frames: readonly Frame[] }): string {
  const line = exception.message.split('\n', 1)[0]?.trim().slice(0, 160) ?? '';
  const at = exception.frames.findLast((frame) => frame.place === 'subject') ?? exception.frames.at(-1);
  const where = at ? ` at ${at.file}${at.function ? `:${at.function}` : ''}` : '';
  return `${typeName(exception.type)}${line ? `: ${line}` : ''}${where}`;
}
