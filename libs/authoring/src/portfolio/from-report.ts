import type { Candidate, Claim, Report } from '@reenact/domain';
import { withoutDuplicates } from './launch-building.js';
import { proposeCommands } from './report-commands.js';
import { proposeSnippets } from './report-snippets.js';
import { openTree } from './subject-tree.js';

/** What the portfolio reads: the report, its claim, and the subject's files (a read-only directory and the paths in it). */
export interface PortfolioInput {
  report: Report;
  claim: Claim;
  /** Absolute path of the subject's tree; nothing is written there. */
  treeDirectory: string;
  /** Paths relative to the tree. Only these are ever read. */
  treeFiles: string[];
}

/**
 * Candidates that the report itself holds, best first and without duplicates: its scripts, then its commands (several
 * steps make one candidate). Deterministic; makes no model call and starts nothing.
 */
export function proposeFromReport(input: PortfolioInput): Candidate[] {
  const material = { report: input.report, claim: input.claim, tree: openTree(input.treeDirectory, input.treeFiles) };
  const commands = proposeCommands(material);
  const snippets = proposeSnippets(material);
  // Steps in an order are the reporter's own recipe and come first; else a script of the report says most.
  const recipe = commands.slice(0, (commands[0]?.launch.steps.length ?? 0) > 1 ? 1 : 0);
  return withoutDuplicates([...recipe, ...snippets, ...commands]);
}
