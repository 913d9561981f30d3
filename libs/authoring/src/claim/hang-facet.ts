import type { Report } from '@reenact/domain';
import type { FacetDraft } from './facet-id.js';
import type { LiveClause } from './live-clauses.js';

const STRONG =
  /\b(?:hangs?(?! up on)|hung|hanging|dead-?lock(?:s|ed|ing)?|freez(?:es?|ing)(?! (?:(?:the|all|some|my|our|its|their|every) )?(?:\w+ )?(?:layers?|weights?|params?|parameters?|backbone|encoder|decoder|model|embeddings?|head|network|stem|bn|batch))|froze(?!n)(?! (?:the|all|some|my|our))|frozen(?! (?:layers?|weights?|backbone|encoder|params?|parameters?|graph|model))|blocks? (?:for ?ever|indefinitely)|wait(?:s|ing)? (?:for ?ever|indefinitely|endlessly)|(?:is|gets?|got|remains?|stays?|are|was) stuck(?! (?:at|around|on|near) [`"]?[-\d.])|never (?:continues?|ends?|finish(?:es)?|returns?|comes? back|terminates?|exits?|completes?|gets? (?:past|beyond|to|any further)|proceeds?|goes on|joins?|starts? the next|moves on|wakes? up)|(?:does|do|did)(?:n't| not) print anything|prints? nothing|no end of|(?:have|had|need|needed) to (?:stop|end|abort|interrupt|kill) (?:it|them|the (?:job|run|process|program|script))|nothing (?:more |else |further |at all |new )?(?:is printed|happens|comes|appears|is logged)|no output (?:for|any ?more|at all)|no (?:more|further) (?:output|progress|lines?|log lines?|steps?)|makes? no (?:further |more )?progress|(?:does|do|did|will|would|is)(?:n't| not) (?:return(?:ing)?|come back|continue|terminate|exit|end|finish|complete|quit|proceed(?:ing)?|move on|respond(?:ing)?|make progress|progress)|stall(?:s|ed|ing)?|(?:has|have|had|needs?) to (?:be )?kill(?:ed)?|(?:until|before) (?:i|we) kill|ctrl[- +]?c|sits? there|stands? still|stood still|comes? to a (?:halt|standstill))\b/i;
const WEAK =
  /\b(?:stops?(?! (?:learning|improving|decreasing|working|falling|training on|growing|early|converging|too|after \d|as))|stopped|silent|sleeps|(?:does|do)(?:n't| not) (?:begin|start)|never (?:begins|starts)|cpu (?:use|usage|load) (?:falls|drops|goes|is|at)|waits?|waiting|waited|blocks?(?! of)|never (?:delivered|reached|printed|shown|written|entered|left|joined|arrives?|delivers)|0 ?%|idle|no (?:cpu|activity)|for (?:hours|minutes|ever)|halts?)\b/i;
/** Slowness is no standstill, and words about numbers are none. */
const NOT_HANG =
  /\b(?:loss|accuracy|metric|score|learning|gradient|weights?) (?:\w+ ){0,3}(?:is |gets |are |was )?(?:stuck|frozen|freezes|stalls)\b|\blocal minim|\b(?:memory|ram|[kmg]i?b|bytes|speed|space)\b.{0,40}\b(?:never|not)\b/i;

interface Sign {
  clause: LiveClause;
  strong: boolean;
}

function signsOf(clauses: readonly LiveClause[]): Sign[] {
  return clauses.flatMap((clause): Sign[] => {
    if (NOT_HANG.test(clause.text)) return [];
    if (STRONG.test(clause.text)) return [{ clause, strong: true }];
    return WEAK.test(clause.text) ? [{ clause, strong: false }] : [];
  });
}

/** How sure the report's words are of a standstill; `title` when its title says so. */
export interface HangReading {
  draft: FacetDraft;
  title: boolean;
}

/** A facet for a run that stops without ending: one strong word, or two weak ones in different sentences. */
export function hangFacet(report: Report, clauses: readonly LiveClause[]): HangReading | null {
  const signs = signsOf(clauses);
  const strong = signs.filter((sign) => sign.strong);
  const weakSentences = new Set(signs.map((sign) => sign.clause.at));
  const best = strong[0] ?? (weakSentences.size >= 2 ? signs[0] : undefined);
  if (best === undefined) return null;
  const draft: FacetDraft = {
    name: 'hang',
    title: strong.some((sign) => sign.clause.title),
    statement: best.clause.sentence,
    span: best.clause.span,
    stance: 'observed',
    oracles: [{ kind: 'hang', silentSeconds: 20 }],
    shownBy: 'harness',
  };
  return { draft, title: draft.title };
}
