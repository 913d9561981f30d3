import type { Arm, EvidenceRecord, FacetState, Statement, Verdict } from '@reenact/domain';

/** A record of a trial that a result shows, and its line in the excerpt's file. */
export interface ExcerptRecord {
  line: number;
  record: EvidenceRecord;
}

/** What a result shows of one trial's evidence; it lies beside the result as `evidence/<trial>.jsonl`. */
export interface EvidenceExcerpt {
  trial: string;
  arm: Arm;
  /** What the trial says about each facet. */
  facets: { id: string; state: FacetState }[];
  /** Records of the whole stream. */
  recordCount: number;
  records: ExcerptRecord[];
}

/** Everything that the pages of a result are made from. All texts are untrusted. */
export interface ResultMaterial {
  title: string;
  verdict: Verdict;
  excerpts: readonly EvidenceExcerpt[];
  /** Files of the script folder; empty where the project's own entry point was run. */
  scripts: readonly { path: string; text: string }[];
  /** One command per step. */
  commands: readonly string[];
  reportText: string | null;
  /** Whether `claim.json` lies beside the page. */
  hasClaim: boolean;
}

/** Statements about one thing, those that were refused left out. */
export function saidAbout(verdict: Verdict, about: Statement['about'], of?: string): Statement[] {
  return (verdict.statements ?? []).filter(
    (one) => one.about === about && one.standing === 'grounded' && (of === undefined || one.of === of),
  );
}

/** Statements that the checker refused. */
export function refusedStatements(verdict: Verdict): Statement[] {
  return (verdict.statements ?? []).filter(({ standing }) => standing === 'not-grounded');
}

/** Path of an excerpt for a link; null where the id is no plain name, which none of ours is. */
export function evidenceLink(trial: string): string | null {
  return /^[A-Za-z0-9][A-Za-z0-9.-]{0,127}$/.test(trial) ? evidencePath(trial) : null;
}

/** Path of an excerpt beside the result. */
export function evidencePath(trial: string): string {
  return `evidence/${trial}.jsonl`;
}

/** The verdict without the observations that the checker refused, for forms that have no place to mark them. */
export function withoutRefused(verdict: Verdict): Verdict {
  const refused = new Set(
    refusedStatements(verdict).flatMap(({ about, of, rests }) =>
      about === 'facet' ? rests.flatMap((rest) => (rest.type === 'record' ? [`${of ?? ''} ${rest.trial} ${rest.seq}`] : [])) : [],
    ),
  );
  if (refused.size === 0) return verdict;
  const facets = verdict.facets.map((facet) => ({
    ...facet,
    grounding: facet.grounding.filter(({ trial, seq }) => !refused.has(`${facet.id} ${trial} ${seq}`)),
  }));
  return { ...verdict, facets };
}
