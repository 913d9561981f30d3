import { AppError } from '@reenact/domain';
import { type Search, searchFrom, type StepBudget, StepsUsedUp } from './pattern-machine.js';
import { compileProgram, firstReaders, type Instruction, requiredText } from './pattern-program.js';
import { parsePattern } from './pattern-syntax.js';

const PATTERN_LIMIT = 1_000;
/** Longest line that a pattern is tried on, in UTF-16 units; what comes after is not seen. */
export const LINE_LIMIT = 8_192;
/** Longest text that a pattern over several lines is tried on. */
export const TEXT_LIMIT = 262_144;
/** Matches per text that are told apart; more change no bound that a claim would state. */
const MATCHES_LIMIT = 10_000;
/** Steps of one compiled pattern over all its texts: some seconds. */
const STEP_LIMIT = 50_000_000;

/** A pattern from a report or a model, matched in linear time and with a step budget of its own. */
export interface SafePattern {
  source: string;
  flags: string;
  program: readonly Instruction[];
  first: readonly Instruction[] | null;
  /** Text without which no match is possible; tried first. */
  required: string;
  budget: StepBudget;
}

/** One match: where it begins, its text, and the text of the first group where that took part. */
export interface PatternMatch {
  index: number;
  text: string;
  group: string | null;
}

function invalid(pattern: string, why: string): AppError {
  const shown = pattern.length > 80 ? `${pattern.slice(0, 79)}…` : pattern;
  return new AppError('oracle-invalid', `the pattern /${shown}/ cannot be used: ${why}`, {
    hint: 'write it without back references, or look for a fixed text',
  });
}

/**
 * Compiles a pattern that came from a report or a model. Flags `i`, `m`, `s`, `u` are kept, also as a leading `(?i)`.
 * @throws AppError `oracle-invalid`: too long, no valid expression, or of a kind that linear time does not allow
 */
export function compilePattern(source: string, flags = ''): SafePattern {
  if (source.length > PATTERN_LIMIT) throw invalid(source, `longer than ${PATTERN_LIMIT} characters`);
  const inline = /^\(\?([ims]{1,3})\)/.exec(source);
  const body = inline ? source.slice(inline[0].length) : source;
  const allFlags = [...new Set(`${flags}${inline?.[1] ?? ''}`)].join('');
  const foldCase = allFlags.includes('i');
  try {
    // The engine's own parser says first whether it is an expression at all.
    new RegExp(body, allFlags);
    const tree = parsePattern(body, allFlags);
    const program = compileProgram(tree, foldCase);
    const required = requiredText(tree, foldCase);
    return { source: body, flags: allFlags, program, first: firstReaders(program), required, budget: { left: STEP_LIMIT } };
  } catch (error) {
    throw invalid(source, error instanceof Error ? error.message : 'not a regular expression');
  }
}

/**
 * All matches in one capped text, left to right, without overlap. @throws AppError `oracle-invalid` when the pattern's
 * steps are used up
 */
export function matchesIn(pattern: SafePattern, whole: string, limit: number = LINE_LIMIT): PatternMatch[] {
  const text = whole.slice(0, limit);
  const folded = pattern.flags.includes('i') ? text.toLowerCase() : text;
  if (!folded.includes(pattern.required)) return [];
  // Folding that changes the length would shift places; such text is matched as it is.
  const input = { text, folded: folded.length === text.length ? folded : text };
  const { program, first, budget } = pattern;
  const search: Search = { program, first, input, budget, reached: new Uint32Array(program.length), round: 0 };
  const matches: PatternMatch[] = [];
  try {
    let from = 0;
    while (from <= text.length && matches.length < MATCHES_LIMIT) {
      const saved = searchFrom(search, from);
      if (!saved) break;
      const [start = 0, end = 0, groupStart = -1, groupEnd = -1] = saved;
      matches.push({
        index: start,
        text: text.slice(start, end),
        group: groupStart >= 0 && groupEnd >= 0 ? text.slice(groupStart, groupEnd) : null,
      });
      from = end > start ? end : end + 1;
    }
  } catch (error) {
    if (error instanceof StepsUsedUp) throw invalid(pattern.source, 'it takes too long on this output');
    throw error;
  }
  return matches;
}

/** Whether the pattern is meant for more than one line. */
export function spansLines(pattern: SafePattern): boolean {
  return pattern.flags.includes('s') || /\\n|\\r|\n|\[\\s\\S\]|\[\\S\\s\]/.test(pattern.source);
}
