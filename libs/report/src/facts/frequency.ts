import type { Report } from '@reenact/domain';
import { clauseStance } from '../prose/stance.js';

type Frequency = NonNullable<Report['frequency']>;

/** Rate taken where words suggest chance and give no number (verdict.md section 6). */
export const CHANCE_RATE = 0.3;

interface Rule {
  pattern: RegExp;
  rate: (match: RegExpExecArray) => number;
}

const WORD_COUNTS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twenty: 20,
};
const COUNT = String.raw`(\d{1,6}|one|two|three|four|five|six|seven|eight|nine|ten|twenty)`;
const RUNS = String.raw`(?:runs?|times|tries|attempts|starts|launches|executions|trials|cases|jobs|seeds|trainings)`;

function count(word: string | undefined): number {
  return WORD_COUNTS[(word ?? '').toLowerCase()] ?? Number(word);
}

/** First match wins: figures before words, "always" after doubt. */
const RULES: readonly Rule[] = [
  {
    pattern: new RegExp(String.raw`\b${COUNT} (?:in|out of|of|from) (?:every |about |the )?${COUNT}(?: ${RUNS}| restarts)?\b`, 'i'),
    rate: (m) => count(m[1]) / count(m[2]),
  },
  { pattern: new RegExp(String.raw`\bevery ${COUNT}(?:th|rd|nd)? ${RUNS}\b`, 'i'), rate: (m) => 1 / count(m[1]) },
  {
    pattern:
      /\b(?:(\d{1,3}(?:\.\d{1,3})?) ?(?:%|per ?cent) of (?:the |my |our |all )?(?:runs?|times?|tries|attempts|starts|cases|jobs|seeds|trainings))\b/i,
    rate: (m) => Number(m[1]) / 100,
  },
  {
    pattern:
      /\b(?:about |roughly |around )?half (?:of )?(?:the |my |our |all )?(?:runs?|times?|tries|attempts|starts|cases|jobs|seeds|trainings)\b|\bevery (?:other|second) (?:run|time|start|try)\b|\b50[ /:-]50\b|\bas often as not\b/i,
    rate: () => 0.5,
  },
  { pattern: /\b(?:a|one) third of (?:the |my |our |all )?(?:runs?|times?|tries|attempts|starts|cases)\b/i, rate: () => 1 / 3 },
  { pattern: /\b(?:a|one) quarter of (?:the |my |our |all )?(?:runs?|times?|tries|attempts|starts|cases)\b/i, rate: () => 0.25 },
  {
    pattern:
      /\b(?:most (?:of the time|runs|times)|mostly|usually|nearly (?:always|every (?:run|time))|almost (?:always|every (?:run|time))|very often)\b/i,
    rate: () => 0.8,
  },
  { pattern: /\b(?:rarely|seldom|very occasionally|once in a (?:while|blue moon)|hardly ever)\b/i, rate: () => 0.1 },
  {
    pattern:
      /\b(?:sometimes|occasional(?:ly)?|intermittent(?:ly)?|sporadic(?:ally)?|from time to time|now and then|every now and then|at random(?! \w+ing)|randomly (?:fails|hangs|crashes|stops|dies)|non-?deterministic(?:ally)?|flaky|flakily|not (?:always|every time|in every run)|some (?:of the )?runs|some of my runs|in some (?:runs|starts)|looks like dice|like rolling dice|by chance|depends on luck|once in a few|a few runs)\b/i,
    rate: () => CHANCE_RATE,
  },
  {
    pattern:
      /\b(?:every (?:single )?(?:time|run|start|try)|always|in every run|each (?:time|run)|(?:100 ?%|hundred per ?cent)(?: of the time)?|consistent(?:ly)?|deterministic(?:ally)?|reproducibly|without exception)\b/i,
    rate: () => 1,
  },
];

/** Words about how often the symptom comes, with the rate that they suggest; sentences of expectation are passed over. */
export function readFrequency(text: string, sentences: Report['sentences']): Frequency | null {
  const candidates = sentences.filter((sentence) => sentence.stance === 'observed' || sentence.stance === 'neutral');
  for (const rule of RULES) {
    for (const sentence of candidates) {
      const raw = text.slice(sentence.span.start, sentence.span.end);
      const match = rule.pattern.exec(raw);
      const rate = match === null ? Number.NaN : rule.rate(match);
      if (match === null || !(rate > 0 && rate <= 1)) continue;
      // "always fine with one worker" says nothing about the symptom.
      if (rate === 1 && clauseStance(raw) === 'contrast') continue;
      const start = sentence.span.start + match.index;
      return { span: { start, end: start + match[0].length }, text: match[0].replace(/\s+/g, ' '), rate };
    }
  }
  return null;
}
