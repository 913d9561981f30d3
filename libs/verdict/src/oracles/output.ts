import type { EvidenceOf, OracleOf } from '@reenact/domain';
import type { EvidenceView, StreamView } from '../evidence/evidence-view.js';
import { cutNote, withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type OracleAnswer } from './oracle-answer.js';
import { compilePattern, matchesIn, type SafePattern, spansLines, TEXT_LIMIT } from '../pattern/safe-pattern.js';

interface StreamMatch {
  record: EvidenceOf<'stream'>;
  /** Index of the line within its stream. */
  line: number;
}

function matchesOverLines(pattern: SafePattern, stream: StreamView): StreamMatch[] {
  const text = stream.lines.map((record) => record.line).join('\n');
  return matchesIn(pattern, text, TEXT_LIMIT).flatMap((match) => {
    const line = text.slice(0, match.index).split('\n').length - 1;
    const record = stream.lines[line];
    return record ? [{ record, line }] : [];
  });
}

/** All places of one stream where the pattern matches, in order. */
export function streamMatches(pattern: SafePattern, stream: StreamView): StreamMatch[] {
  if (spansLines(pattern)) return matchesOverLines(pattern, stream);
  return stream.lines.flatMap((record, line) => matchesIn(pattern, record.line).map(() => ({ record, line })));
}

function chosenStreams(oracle: OracleOf<'output'>, view: EvidenceView): StreamView[] {
  return view.streams.filter(
    (stream) => (oracle.stream === 'any' || stream.channel === oracle.stream) && (oracle.rank === undefined || stream.rank === oracle.rank),
  );
}

/** A claim that something is not printed: it holds for every stream of a trial that came to its end. */
function evaluateSilence(oracle: OracleOf<'output'>, counts: StreamMatch[][], view: EvidenceView): OracleAnswer {
  const most = oracle.atMost ?? Infinity;
  const tooMany = counts.find((matches) => matches.length > most)?.[0];
  if (tooMany) return answer('absent', [groundedIn(tooMany.record.seq, tooMany.record.line)]);
  const lastExit = view.exits.at(-1);
  return withoutSignal(view, answer('shown', lastExit ? [groundedIn(lastExit.seq, 'the trial came to its end without the text')] : []));
}

function isFollowed(stream: StreamView, first: StreamMatch, notFollowedBy: SafePattern | null): boolean {
  if (!notFollowedBy) return false;
  return streamMatches(notFollowedBy, stream).some((later) => later.line > first.line);
}

/** Shown when one stream of one process carries the pattern as often as asked. */
export function evaluateOutput(oracle: OracleOf<'output'>, view: EvidenceView): OracleAnswer {
  const pattern = compilePattern(oracle.pattern, oracle.flags);
  const after = oracle.notFollowedBy === undefined ? null : compilePattern(oracle.notFollowedBy, oracle.flags);
  const streams = chosenStreams(oracle, view).map((stream) => ({ stream, matches: streamMatches(pattern, stream) }));
  if (oracle.atLeast === 0)
    return evaluateSilence(
      oracle,
      streams.map(({ matches }) => matches),
      view,
    );
  const enough = streams.filter(({ matches }) => matches.length >= oracle.atLeast && matches.length <= (oracle.atMost ?? Infinity));
  const cut = view.cutBy !== null && view.cutBy !== 'hang';
  for (const { stream, matches } of enough) {
    const first = matches[0];
    if (!first || isFollowed(stream, first, after)) continue;
    const grounding = matches.slice(0, 3).map(({ record }) => groundedIn(record.seq, record.line));
    // An upper bound and "nothing follows" are known only at the end.
    if (cut && (after || oracle.atMost !== undefined)) return answer('undecided', grounding, cutNote(view));
    return answer('shown', grounding);
  }
  const near = streams.find(({ matches }) => matches.length > 0)?.matches[0];
  if (near && !cut) return answer('absent', [groundedIn(near.record.seq, near.record.line)], 'the text is there, but not as claimed');
  return withoutSignal(view, answer('absent', [], 'the text was never printed'));
}
