import type { Claim, Context, Facet, Oracle, Plan, Report } from '@reenact/domain';
import type { EvidenceSummary } from '../evidence-summary.js';
import type { Memory } from '../memory.js';
import type { Section } from './quoted-data.js';
import { quoteData } from './quoted-data.js';

/** The report's own text. */
export function reportSection(report: Report): Section {
  return { rank: 1, maxBytes: 14_000, render: (room) => `# The bug report\n${quoteData('report', report.text, room - 20)}` };
}

/** The claim with its facets and what each still needs. */
export function claimSection(claim: Claim): Section {
  const view = {
    facets: claim.facets.map(facetView),
    triggers: claim.triggers.map(({ text }) => text).slice(0, 12),
    symbols: claim.symbols.slice(0, 20),
    worldSize: claim.worldSize,
    claimedRate: claim.claimedRate,
  };
  return {
    rank: 1,
    maxBytes: 8_000,
    render: (room) => `# The claim, as read so far\n${quoteData('claim', JSON.stringify(view, null, 1), room - 40)}`,
  };
}

function facetView(facet: Facet): Record<string, unknown> {
  return {
    id: facet.id,
    statement: facet.statement,
    stance: facet.stance,
    shownBy: facet.shownBy,
    oracles: facet.oracles,
    needsBinding: needsBinding(facet),
  };
}

/** True for a live facet that a script has to measure before it can be judged. */
export function needsBinding(facet: Facet): boolean {
  return facet.stance === 'observed' && (facet.oracles.length === 0 || facet.shownBy === 'measurement');
}

/** The project's files by name, so that a script imports what exists. */
export function filesSection(files: string[]): Section {
  const shown = files.slice(0, 300).join('\n');
  return {
    rank: 3,
    maxBytes: 4_000,
    render: (room) => (shown === '' ? '' : `# Files of the project\n${quoteData('files', shown, room - 40)}`),
  };
}

/** The retrieved code, block by block; whole blocks are left out when there is no room. */
export function contextSection(context: Context | null): Section {
  return {
    rank: 4,
    maxBytes: 26_000,
    render: (room) => {
      if (context === null || context.blocks.length === 0) return '';
      const parts: string[] = [`# Code of the project, most relevant first (module ${JSON.stringify(context.module)})`];
      let left = room - Buffer.byteLength(parts[0]!) - 2;
      for (const block of context.blocks) {
        const text = quoteData(`${block.file}:${block.startLine}-${block.endLine}`, block.text, 12_000);
        const bytes = Buffer.byteLength(text) + 2;
        if (bytes > left) continue;
        parts.push(text);
        left -= bytes;
      }
      return parts.length > 1 ? parts.join('\n\n') : '';
    },
  };
}

/** A suspected function of the project as it stands there. */
export interface SuspectSource {
  file: string;
  /** Dotted name, such as `Cell.generate`. */
  function: string;
  text: string;
}

/** The functions that a control may change. */
export function suspectsSection(suspects: readonly SuspectSource[]): Section {
  return {
    rank: 2,
    maxBytes: 24_000,
    render: (room) => {
      const share = Math.floor((room - 60) / Math.max(1, suspects.length));
      const parts = suspects.map(({ file, function: name, text }) => quoteData(`${file}:${name}`, text, share - 2));
      return ['# Suspected functions of the project', ...parts].join('\n\n');
    },
  };
}

/** The plan's steps. */
export function planSection(plan: Plan | null): Section {
  const steps = plan?.steps.map(({ id, purpose, action }) => `${id} [${purpose}] ${action}`).join('\n') ?? '';
  return { rank: 2, maxBytes: 4_000, render: (room) => (steps === '' ? '' : `# The plan\n${quoteData('plan', steps, room - 40)}`) };
}

/** What earlier attempts, also in other contexts, have taught. */
export function memorySection(memory: Memory): Section {
  const lines = [
    ...memory.hypotheses.map(({ text, status, note }) => `hypothesis (${status}): ${text}${note === '' ? '' : `: ${note}`}`),
    ...memory.failedIdeas.map((idea) => `failed idea, do not try again: ${idea}`),
    ...memory.attempts
      .slice(-8)
      .map(({ context, attempt, origin, result, note }) => `attempt ${context}.${attempt} (${origin}): ${result}; ${note}`),
    ...memory.observed.slice(-15).map((line) => `observed in ${line}`),
  ];
  return {
    rank: 2,
    maxBytes: 6_000,
    render: (room) => (lines.length === 0 ? '' : `# What was learned so far\n${quoteData('memory', lines.join('\n'), room - 40)}`),
  };
}

/** Hints of people who watch the run, the newest kept where there is no room for all. */
export function hintsSection(hints: string[]): Section {
  const text = hints.map((hint) => `- ${hint.trim().slice(0, 4_096)}`).join('\n');
  return {
    rank: 1,
    maxBytes: 5_000,
    render: (room) =>
      text === ''
        ? ''
        : `# Hints of the person who watches this run\nThey know the case better than the report does: where a hint and the report disagree, try what the hint says.\n${quoteData('hints', text, room - 180)}`,
  };
}

/** The script of the attempt before, what changed in it, and what it really printed. */
export interface PreviousAttempt {
  /** How it was started, in words. */
  launch: string;
  script: string | null;
  /** Line diff against the script before it, or null for a first one. */
  diff: string | null;
  evidence: EvidenceSummary | null;
  facetStates: Record<string, string>;
  findings: string[];
  /** Facet id → the oracles that it was judged by. */
  oracles: Record<string, Oracle[]>;
  /** The judgement's sentence, and oracles that were refused. */
  notes: string[];
}

export function previousSections(previous: PreviousAttempt): Section[] {
  const { evidence } = previous;
  const outcome = [
    `started: ${previous.launch}`,
    `facets: ${JSON.stringify(previous.facetStates)}`,
    `oracles: ${JSON.stringify(previous.oracles)}`,
    ...previous.notes.map((note) => `note: ${note}`),
    ...previous.findings.map((finding) => `finding: ${finding}`),
    ...(evidence ? outcomeLines(evidence) : ['it did not run']),
  ].join('\n');
  const script = previous.script;
  const diff = previous.diff;
  return [
    {
      rank: 1,
      maxBytes: 9_000,
      render: (room) => (script === null ? '' : `# The previous script\n${quoteData('previous-script', script, room - 40)}`),
    },
    {
      rank: 3,
      maxBytes: 3_000,
      render: (room) =>
        diff === null || diff === '' ? '' : `# What was changed in it last\n${quoteData('previous-diff', diff, room - 50)}`,
    },
    { rank: 1, maxBytes: 9_000, render: (room) => `# What it did when it ran\n${quoteData('previous-run', outcome, room - 50)}` },
  ];
}

function outcomeLines(evidence: EvidenceSummary): string[] {
  const frame = (item: { file: string; line?: number | undefined; function?: string | undefined }): string =>
    `${item.file}:${item.line ?? '?'} ${item.function ?? ''}`;
  return [
    `ended by ${evidence.endedBy ?? 'unknown'}, exit code ${evidence.exitCode ?? 'none'}, signal ${evidence.signal ?? 'none'}${evidence.stalled ? ', stalled' : ''}`,
    ...evidence.exceptions.map(
      ({ type, message, raisedIn, frames }) => `exception in ${raisedIn}: ${type}: ${message}\n  ${frames.map(frame).join(' > ')}`,
    ),
    ...evidence.observations.map((values) => `OBS ${JSON.stringify(values)}`),
    'last lines of standard output:',
    ...evidence.stdoutTail.slice(-30),
    'last lines of standard error:',
    ...evidence.stderrTail.slice(-30),
  ];
}
