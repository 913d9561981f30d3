import { contentId } from '@reenact/domain';
import { z } from 'zod';
import type { EvidenceSummary } from './evidence-summary.js';

export const Hypothesis = z.object({ text: z.string(), status: z.enum(['open', 'supported', 'refuted']), note: z.string() });
export type Hypothesis = z.infer<typeof Hypothesis>;

export const RememberedAttempt = z.object({
  context: z.int(),
  attempt: z.int(),
  candidateId: z.string(),
  origin: z.string(),
  /** How it ended, in one word of the workflow: a facet state, `infra`, `repeated`. */
  result: z.string(),
  /** What was tried and what came of it, in one line. */
  note: z.string(),
  /** Digest of everything that can be learned from it; equal digests bring no new information. */
  signature: z.string(),
});
export type RememberedAttempt = z.infer<typeof RememberedAttempt>;

/** What a run has learned, carried over from attempt to attempt and from context to context. */
export const Memory = z.object({
  schemaVersion: z.literal(1),
  hypotheses: z.array(Hypothesis),
  /** Ideas that failed, each once, oldest first: never to be tried again. */
  failedIdeas: z.array(z.string()),
  attempts: z.array(RememberedAttempt),
  /** Last lines that a run of the subject really printed, newest attempt last. */
  observed: z.array(z.string()),
  /** Attempts in a row that brought no new information. */
  staleAttempts: z.int(),
});
export type Memory = z.infer<typeof Memory>;

/** What the reducer takes in about one attempt. */
export interface AttemptOutcome {
  context: number;
  attempt: number;
  candidateId: string;
  origin: string;
  result: string;
  /** Facet id → state. */
  facetStates: Record<string, string>;
  findings: string[];
  evidence: EvidenceSummary | null;
  idea: string;
}

/** The loop stops after this many attempts in a row without new information (architecture.md section 2). */
const STALE_LIMIT = 3;
const MAX_HYPOTHESES = 12;
const MAX_IDEAS = 30;
const MAX_OBSERVED = 40;

/** Memory of a run that has tried nothing. */
export function emptyMemory(): Memory {
  return { schemaVersion: 1, hypotheses: [], failedIdeas: [], attempts: [], observed: [], staleAttempts: 0 };
}

/**
 * Adds one attempt. An attempt that the platform spoiled (`infra`) changes nothing; one with a signature that is known
 * already raises the count of stale attempts, any other resets it. The same attempt (context and number) counts once.
 */
export function rememberAttempt(memory: Memory, outcome: AttemptOutcome): Memory {
  const known = memory.attempts.some(({ context, attempt }) => context === outcome.context && attempt === outcome.attempt);
  if (outcome.result === 'infra' || known) return memory;
  const signature = attemptSignature(outcome);
  const stale = memory.attempts.some((earlier) => earlier.signature === signature);
  const { context, attempt, candidateId, origin, result } = outcome;
  const shown = Object.values(outcome.facetStates).every((state) => state === 'shown') && Object.keys(outcome.facetStates).length > 0;
  return {
    ...memory,
    failedIdeas: shown || outcome.idea === '' ? memory.failedIdeas : addOnce(memory.failedIdeas, outcome.idea).slice(-MAX_IDEAS),
    attempts: [...memory.attempts, { context, attempt, candidateId, origin, result, note: noteOf(outcome), signature }],
    observed: [...memory.observed, ...observedLines(outcome)].slice(-MAX_OBSERVED),
    staleAttempts: stale ? memory.staleAttempts + 1 : 0,
  };
}

/** Takes in hypotheses: a known one gets its new status, except that a refuted one is never open again. */
export function rememberHypotheses(memory: Memory, hypotheses: Hypothesis[]): Memory {
  const byText = new Map(memory.hypotheses.map((hypothesis) => [normalise(hypothesis.text), hypothesis]));
  for (const hypothesis of hypotheses) {
    const key = normalise(hypothesis.text);
    if (key === '') continue;
    const known = byText.get(key);
    byText.set(
      key,
      known?.status === 'refuted' && hypothesis.status === 'open' ? known : { ...hypothesis, text: known?.text ?? hypothesis.text },
    );
  }
  const all = [...byText.values()];
  // Refuted ones stay longest: forgetting them would let them be tried again.
  const kept = new Set(
    all
      .toSorted((a, b) => Number(b.status === 'refuted') - Number(a.status === 'refuted') || all.indexOf(b) - all.indexOf(a))
      .slice(0, MAX_HYPOTHESES),
  );
  return { ...memory, hypotheses: all.filter((hypothesis) => kept.has(hypothesis)) };
}

/** True when three attempts in a row brought nothing new. */
export function bringsNothingNew(memory: Memory): boolean {
  return memory.staleAttempts >= STALE_LIMIT;
}

/** True when a candidate of this id was tried already. */
export function wasTried(memory: Memory, candidateId: string): boolean {
  return memory.attempts.some((attempt) => attempt.candidateId === candidateId);
}

/** Digest over what an attempt showed, with numbers and addresses masked: result, facet states, findings, exceptions, end. */
export function attemptSignature(outcome: AttemptOutcome): string {
  const evidence = outcome.evidence;
  return contentId({
    result: outcome.result,
    facets: outcome.facetStates,
    findings: outcome.findings.toSorted(),
    exceptions: evidence?.exceptions.map(({ type, message, raisedIn }) => [type, mask(message), raisedIn]) ?? null,
    end: evidence ? [evidence.exitCode, evidence.signal, evidence.endedBy, evidence.stalled] : null,
    // What was measured is information even when no facet moved.
    observations: evidence?.observations ?? null,
    lastLine: evidence ? mask(evidence.stdoutTail.at(-1) ?? '') : null,
  });
}

function mask(text: string): string {
  return text
    .slice(0, 2000)
    .replace(/0x[0-9a-f]+/gi, '#')
    .replace(/\d+(?:\.\d+)?/g, '#');
}

function noteOf(outcome: AttemptOutcome): string {
  const error = outcome.evidence?.exceptions.at(-1);
  const states = Object.entries(outcome.facetStates).map(([id, state]) => `${id} ${state}`);
  const parts = [outcome.idea, ...states, ...outcome.findings, ...(error ? [`${error.type}: ${error.message.split('\n')[0]}`] : [])];
  return parts
    .filter((part) => part !== '')
    .join('; ')
    .slice(0, 600);
}

function observedLines({ evidence, context, attempt }: AttemptOutcome): string[] {
  const lines = [
    ...(evidence?.stdoutTail.slice(-5) ?? []),
    ...(evidence?.observations.slice(-5).map((values) => `OBS ${JSON.stringify(values)}`) ?? []),
  ];
  return lines.map((line) => `${context}.${attempt}: ${line.slice(0, 200)}`);
}

function addOnce(ideas: string[], idea: string): string[] {
  return ideas.some((known) => normalise(known) === normalise(idea)) ? ideas : [...ideas, idea];
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}
