import { isCascade, tellsOfLostChild, type Frame, type Report, type ReportedException } from '@reenact/domain';
import { projectFrames, rootException } from '@reenact/report';
import type { ExceptionMention } from './exception-mention.js';
import { shortType } from './exception-mention.js';

/** Frames kept from the deep end of a trace: enough for two in order (verdict.md section 4). */
const DEEPEST_FRAMES = 6;
/** The person's own interruption and a program's own exit are no symptoms. */
const NO_SYMPTOM = /^(?:KeyboardInterrupt|SystemExit)$/;

/** Whether an exception tells only that another process ended. */
function isConsequence(exception: ReportedException): boolean {
  return isCascade(exception) || tellsOfLostChild(exception);
}

/** Frames that can be found again on another machine: no cells, no frozen modules. */
function usableFrames(exception: ReportedException): Frame[] {
  const real = (frame: Frame): boolean => !/^(?:<|In\[)/.test(frame.file);
  const deep = exception.frames.filter(real).slice(-DEEPEST_FRAMES);
  const own = projectFrames(exception).filter(real).slice(-DEEPEST_FRAMES);
  return exception.frames.filter((frame) => deep.includes(frame) || own.includes(frame));
}

/** The frames of the reporter's code, deepest last. */
export function claimedFrames(report: Report): Frame[] {
  return rootsOf(report)
    .flatMap((root) => projectFrames(root))
    .slice(0, 40);
}

/** Root exceptions of the report: what wrappers quote, and of several ranks the first that is no consequence. */
export function rootsOf(report: Report): ReportedException[] {
  const roots = report.exceptions.map(rootException).filter((root) => !NO_SYMPTOM.test(shortType(root.type)));
  const own = roots.filter((root) => !isConsequence(root));
  // What ended the other process is told as well: that is the symptom.
  if (own.length === 0 && report.nativeFailures.length > 0) return [];
  const kept = own.length > 0 ? own : roots.slice(0, 1);
  const ranked = kept.find((root) => root.rank !== undefined);
  // Further errors of other ranks follow from the first one.
  return kept.filter((root) => root.rank === undefined || ranked === undefined || root === ranked || root.rank === ranked.rank);
}

/** A loader that lost its worker tells only in its cause how the worker ended. */
function tellingMessage(root: ReportedException): string {
  const { cause } = root;
  const isLoss = root.causeKind === 'cause' && cause !== undefined && tellsOfLostChild(root) && tellsOfLostChild(cause);
  return isLoss ? cause.message : root.message;
}

/** Exceptions that the report shows as traces or as single lines of output. */
export function printedExceptions(report: Report): ExceptionMention[] {
  const traces = rootsOf(report).map((root): ExceptionMention => {
    const statement = `${root.type}: ${root.message.split('\n', 1)[0] ?? ''}`.replace(/: $/, '');
    return {
      type: root.type,
      text: root.message === '' ? null : tellingMessage(root),
      match: 'signature',
      words: [],
      through: [],
      frames: usableFrames(root),
      strength: 'trace',
      statement,
      span: root.span,
      title: false,
    };
  });
  const lines = report.errorLines.flatMap((line): ExceptionMention[] => {
    const inProse = report.sentences.some((sentence) => sentence.span.start < line.span.end && line.span.start < sentence.span.end);
    const match = /^((?:[A-Za-z_]\w{0,60}\.){0,8}[A-Z]\w{0,80}(?:Error|Exception|Interrupt|Timeout|Expired)): (.{1,1000})$/.exec(line.text);
    if (inProse || match === null || NO_SYMPTOM.test(shortType(match[1] ?? ''))) return [];
    return [
      {
        type: match[1] ?? null,
        text: match[2] ?? null,
        match: 'signature',
        words: [],
        through: [],
        frames: [],
        strength: 'line',
        statement: line.text,
        span: line.span,
        title: false,
      },
    ];
  });
  return [
    ...traces,
    ...(traces.length > 0
      ? lines.filter((line) => traces.some((trace) => shortType(trace.type ?? '') === shortType(line.type ?? '')))
      : lines),
  ];
}
