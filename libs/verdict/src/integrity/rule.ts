import type { PythonNode } from '@reenact/code-index';
import type { Candidate, Claim, EvidenceRecord, Facet, Finding } from '@reenact/domain';
import type { JudgedTrial } from '../verification/judged-trial.js';
import type { Suspect } from '../controls/suspects.js';
import type { ScriptFlow } from './script-flow.js';
import type { ScriptSource } from './script-scopes.js';
import type { SubjectListing } from './subject-listing.js';

/** What a static rule looks at. */
export interface RuleInput {
  script: ScriptFlow;
  candidate: Candidate;
  subject: SubjectListing;
  claim: Claim;
  /** Live facets with their oracles. */
  facets: readonly Facet[];
}

/** One trial with everything that it recorded. */
export interface TrialEvidence {
  judged: JudgedTrial;
  records: readonly EvidenceRecord[];
}

/** What confirms or refutes a suspicion. */
export interface ConfirmInput {
  trials: readonly TrialEvidence[];
  facets: readonly Facet[];
  suspects: readonly Suspect[];
  subject: SubjectListing;
  script: ScriptFlow;
}

/** A kind of cheat: how it looks in the script, and what evidence says about it. */
export interface Rule {
  code: string;
  /** Looks at the syntax tree alone; never gives level `finding`. */
  check?(input: RuleInput): Finding[];
  /** Turns one suspicion of this rule into `finding` or `refuted`, or leaves it where the evidence says nothing. */
  confirm?(suspicion: Finding, input: ConfirmInput): Finding;
  /** Findings that follow from evidence, with or without a suspicion. */
  observe?(input: ConfirmInput): Finding[];
}

/** A node of a script file, as call and statement sites have it. */
export interface ScriptPlace {
  node: PythonNode;
  source: ScriptSource;
}

/** Where a finding says that something is: the file of the script, and the line from 1 on which the node begins. */
export function placeOf({ node, source }: ScriptPlace): { file: string; line: number } {
  return { file: source.file.path, line: node.startPosition.row + 1 };
}

/** First and last line of a node, from 1, as a finding keeps them beside its place. */
export function linesOf(node: PythonNode): { startLine: number; endLine: number } {
  return { startLine: node.startPosition.row + 1, endLine: node.endPosition.row + 1 };
}

/** A suspicion at a node's place in a script file. */
export function suspicion(rule: string, message: string, place: Omit<Finding, 'rule' | 'message' | 'level'>): Finding {
  return { rule, message, level: 'suspicion', ...place };
}

/** The suspicion, answered by evidence. */
export function answered(finding: Finding, level: 'finding' | 'refuted' | 'suspicion', evidence: string): Finding {
  return { ...finding, level, evidence };
}
