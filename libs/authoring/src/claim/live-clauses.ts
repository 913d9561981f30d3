import type { Report, Span } from '@reenact/domain';
import { clausesOf, clauseStance, namesSymptom, withoutDenials } from '@reenact/report';

/** A part of a sentence in which the reporter says what was seen. */
export interface LiveClause {
  /** The clause without statements of absence ("no error"). */
  text: string;
  /** The whole sentence, as the facet's statement. */
  sentence: string;
  span: Span;
  /** Index of the sentence in the report. */
  at: number;
  title: boolean;
}

function isTitle(report: Report, at: number): boolean {
  const sentence = report.sentences[at];
  return sentence !== undefined && at < 3 && report.title !== '' && report.title.replace(/\s+/g, ' ').includes(sentence.text);
}

function isLive(clause: string, title: boolean): boolean {
  const stance = clauseStance(clause);
  return stance === 'observed' || stance === 'neutral' || (title && stance !== 'contrast' && stance !== 'expected' && namesSymptom(clause));
}

/** All clauses that may carry a symptom: none of expectation, guess or contrast, nor of a section of that kind. */
export function liveClauses(report: Report): LiveClause[] {
  return report.sentences.flatMap((sentence, at) => {
    const title = isTitle(report, at);
    if (sentence.stance === 'expected' || sentence.stance === 'contrast' || (sentence.stance === 'guess' && !title)) return [];
    return clausesOf(sentence.text)
      .filter((clause) => isLive(clause, title))
      .map((clause) => ({ text: withoutDenials(clause), sentence: sentence.text, span: sentence.span, at, title }));
  });
}
