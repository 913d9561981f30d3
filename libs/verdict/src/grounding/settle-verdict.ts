import type { Clause, Statement, Verdict } from '@reenact/domain';
import { verdictSentence } from '../judgement/verdict-sentence.js';
import { checkGrounding } from './check-grounding.js';
import { composeStatements, type StatementMaterial } from './compose-statements.js';

/** Answers that say something of the subject: these may not be given where the judge's figures do not follow from the evidence. */
const OF_THE_SUBJECT: ReadonlySet<Verdict['verdict']> = new Set([
  'reproduced',
  'reproduced_uncontrolled',
  'reproduced_unstable',
  'partial',
  'not_reproduced',
  'not_shown',
  'fixed',
]);

const MISMATCH: Clause = {
  text: 'Inconclusive: figures of the judgement do not follow from the recorded evidence',
  joint: '',
  rests: [{ type: 'run' }],
};

/**
 * The verdict with all its sentences checked against the records (verdict.md, rule 9). A part of the verdict's own sentence that
 * does not hold is taken out of it; where one does not hold that counts trials, an answer about the subject becomes `inconclusive`,
 * for then judge and evidence disagree. What was refused stays in the list, marked. Pure.
 */
export function settleVerdict(material: StatementMaterial): Verdict {
  const statements = checkGrounding(composeStatements(material), material.ledger);
  const { verdict } = material;
  const own = statements.filter(({ about }) => about === 'verdict');
  if (own.every(isGrounded)) return { ...verdict, statements };
  const countsFail = own.some((one) => !isGrounded(one) && one.rests.some(({ type }) => type === 'trials' || type === 'record'));
  if (countsFail && OF_THE_SUBJECT.has(verdict.verdict)) {
    const answer: Statement = { id: 's0', about: 'verdict', of: null, standing: 'grounded', ...MISMATCH };
    return {
      ...verdict,
      verdict: 'inconclusive',
      reason: 'grounding',
      sentence: verdictSentence([MISMATCH]),
      statements: [answer, ...statements.map(withdrawn)],
    };
  }
  const kept = own.filter(isGrounded).map(({ text, joint }) => ({ text, joint: (joint ?? '') as Clause['joint'] }));
  const sentence = kept.length === 0 ? `${verdict.verdict}: nothing more can be said that rests on a record.` : verdictSentence(kept);
  return { ...verdict, sentence, statements };
}

function isGrounded({ standing }: Statement): boolean {
  return standing === 'grounded';
}

/** What was left of a sentence that may not be given. */
function withdrawn(statement: Statement): Statement {
  if (statement.about !== 'verdict' || !isGrounded(statement)) return statement;
  return { ...statement, standing: 'not-grounded', note: 'the sentence that it is a part of was withdrawn' };
}
