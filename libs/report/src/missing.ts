import type { Report } from '@reenact/domain';

/** Facts that decide what a report lacks. */
export type ReportFacts = Pick<
  Report,
  | 'sentences'
  | 'exceptions'
  | 'errorLines'
  | 'codeBlocks'
  | 'commands'
  | 'packages'
  | 'pythonVersions'
  | 'devices'
  | 'operatingSystem'
  | 'files'
>;

/** Shorter reports without any symptom word tell none. */
const TELLING_SENTENCES = 3;
const DATA_NEEDED =
  /\b(?:private|proprietary|internal|confidential|our own|in-house|cannot share|can't share|not public)\b[^.]{0,40}\b(?:data(?:set)?|images|corpus|records)\b/i;

/** What a reproduction would need and the report does not say: `symptom`, `command`, `code`, `version`, `environment`, `data`. */
export function missingFacts(facts: ReportFacts): string[] {
  const missing: string[] = [];
  const hasSymptom =
    facts.exceptions.length > 0 ||
    facts.errorLines.length > 0 ||
    facts.sentences.length >= TELLING_SENTENCES ||
    facts.sentences.some((sentence) => sentence.stance === 'observed');
  const hasScript = facts.codeBlocks.some((block) => block.language === 'python');
  if (!hasSymptom) missing.push('symptom');
  if (facts.commands.length === 0 && !hasScript) missing.push('command');
  if (!hasScript && facts.commands.length === 0 && facts.files.length === 0) missing.push('code');
  if (facts.packages.length === 0) missing.push('version');
  if (facts.pythonVersions.length === 0 && facts.devices.length === 0 && facts.operatingSystem === null) missing.push('environment');
  if (facts.sentences.some((sentence) => DATA_NEEDED.test(sentence.text))) missing.push('data');
  return missing;
}
