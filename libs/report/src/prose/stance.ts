import type { Report } from '@reenact/domain';

type Stance = Report['sentences'][number]['stance'];

/** What a heading says about the sentences below it. */
export type Section = 'expected' | 'observed' | 'guess' | 'environment' | 'steps' | 'none';

const EXPECTED_WORDS =
  /\b(?:should(?:n't| not)?|ought to|supposed to|(?:would|'d) (?:have )?(?:expect|like|hope)(?:ed)?|i (?:had )?(?:expect|want|hope)(?:ed)?|we (?:had )?(?:expect|want|hope)(?:ed)?|expected(?: behaviou?r| result| output)?\s*[:=]|(?:is|are|was|were) expected|expected to (?:see|get|be)|instead of|rather than|desired|ideally)/i;
const GUESS_WORDS =
  /\b(?:suspect(?:ed|s)?|maybe|perhaps|i (?:think|guess|believe|assume)|we (?:think|guess|believe|assume)|probably|presumably|possibly|(?:might|may|could) (?:be|have|come)|my (?:theory|guess|hunch)|not sure (?:if|whether|why)|seems? to be (?:caused|related|due)|likely (?:caused|because|related|due)|looks related)\b/i;
/** Statements that all is well somewhere. */
const WELL_WORDS =
  /\b(?:works?(?! around)|worked|working fine|(?:is|are|was|were|runs?|ran|runs through|trains?|trained|loads?|passes|passed|goes|went|all|looks?|behaves?) (?:fine|ok|okay|well|good|normal(?:ly)?|correct(?:ly)?|through|as expected)|fine|finishes|finished? (?:normally|cleanly)|completes?|no (?:trouble|problems?|issues?|change|difference)|without (?:any )?(?:trouble|problems?|issues?|errors?|complaints?|hanging|crash(?:ing)?)|does(?:n't| not) (?:show|happen|occur|appear|help|fail|crash|hang)|do(?:n't| not) (?:show|see|happen|occur)|can(?:not|'t) (?:see|reproduce)|(?:is|are) (?:gone|absent)|goes away|disappears?|never happens?|has a constant|gives a fresh|agrees?)\b/i;

/** Words that name a symptom of any kind; used to tell an observation from a plain statement. */
const SYMPTOM_WORDS =
  /\b(?:error(?:s|ed)?|exceptions?|fail(?:s|ed|ing|ure)?|crash(?:es|ed|ing)?|dies|died|abort(?:s|ed)?|rais(?:e|es|ed|ing)|throws?|thrown|threw|ends? (?:with|in)|ended (?:with|in)|hangs?|hung|hanging|stall(?:s|ed)?|freez(?:e|es|ing)|froze(?:n)?|stuck|dead-?locks?(?:ed)?|blocks? forever|never (?:continues?|ends?|finish(?:es)?|returns?|comes?|reach(?:es)?|stops?|terminates?|learns?|converges?)|stops?|killed|segmentation fault|segfaults?|core dumped|nan|infs?|infinity|diverg(?:es?|ed|ing)|explodes?|wrong|incorrect|unexpected(?:ly)?|differ(?:s|ent|ently)?|same|identical|slow(?:er|s|ly|ed)?|grows?|growing|leaks?|leaking|increas(?:es?|ed|ing)|decreas(?:es?|ed|ing)|stays?|constant|stuck|unchanged|worse|lower|higher|too (?:strong(?:ly)?|high|low|large|small|much|many|few|big|slow)|above|below|exceeds?|does(?:n't| not)|do(?:n't| not)|did(?:n't| not)|can(?:not|'t|not be)|no longer|any ?more|missing|lost|ignored|negative|zero|never|broken|bad|mismatch|warning|complains?|no (?:visible |measurable )?effect|nothing (?:more|else|further|happens)|silent(?:ly)?|no further|not further|halves|halved|drops?|dropped|jumps?|jumped|rises?|rose|var(?:y|ies)|(?:larger|smaller|longer|shorter|fewer) than|longer|although|empty|duplicate[sd]?|twice|skipp?(?:s|ed)|shrinks?|anyway|nevertheless|despite|even though|still|refuses?|rejected|breaks?|quits?|random)\b|[A-Z]\w*(?:Error|Exception|Warning)\b/i;

const EXPECTED_HEADINGS = /\b(?:expect(?:ed|ation)?|desired|should happen|supposed)\b/i;
const OBSERVED_HEADINGS = /\b(?:actual|observed|what happen(?:s|ed)|behaviou?r|bug|error|symptom|problem|description|issue|current)\b/i;
const GUESS_HEADINGS = /\b(?:suspicion|guess|theory|possible (?:cause|fix|solution)|root cause|analysis|suggest(?:ed|ion)|proposed)\b/i;
const ENVIRONMENT_HEADINGS = /\b(?:environment|versions?|system|setup|platform|configuration)\b/i;
const STEPS_HEADINGS = /\b(?:steps?|how to|to reproduce|reproduc(?:e|tion|er)|minimal|usage|run)\b/i;

/** What kind of section a heading opens. */
export function sectionOf(heading: string): Section {
  if (EXPECTED_HEADINGS.test(heading)) return 'expected';
  if (GUESS_HEADINGS.test(heading)) return 'guess';
  if (STEPS_HEADINGS.test(heading)) return 'steps';
  if (ENVIRONMENT_HEADINGS.test(heading)) return 'environment';
  return OBSERVED_HEADINGS.test(heading) ? 'observed' : 'none';
}

/** A label at the beginning of a paragraph, such as `Expected:`. */
export function labelOf(text: string): Section {
  const label = /^\s*(?:[-*] )?(?:\*\*|__|_)?([A-Za-z][A-Za-z '/]{2,40})(?:\*\*|__|_)?\s?:/.exec(text)?.[1];
  if (label === undefined || label.trim().split(/\s+/).length > 4) return 'none';
  const section = sectionOf(label);
  return section === 'expected' || section === 'guess' || section === 'observed' ? section : 'none';
}

/** The words "no error", "without exception", "does not crash": a symptom that the reporter says is absent. */
const DENIED =
  /\b(?:no|not an?|neither an?|nor an?|without(?: an?y?)?|zero|never(?: an?y?)?|there (?:is|are|was|were) no|isn't an?|is not an?) (?:python |visible |such |further |other |obvious |explicit |single )?(?:error|exception|warning|crash|traceback|nan|inf|hang|deadlock|leak|complaint|failure|message|segfault|`?[A-Z]\w{1,60}(?:Error|Exception|Warning)`?)(?:s|es)?(?: (?:or|and|nor) (?:an? )?(?:error|exception|warning|crash|traceback|message)s?)?\b|\b(?:does|do|did|is|are|was|has)(?:n't| not) (?:crash|fail|hang|raise|throw|leak|diverge|die|stop|error|abort|freeze|failed|crashed|raised)\b/gi;

/** Hides quoted text of several words behind letters of the same length, so that a program's words are not read as the reporter's. */
function maskQuotations(text: string): string {
  return text.replace(/"[^"\n]{1,400}"|“[^”\n]{1,400}”|`[^`\n]{1,400}`/g, (quoted) =>
    quoted.includes(' ') ? '"'.padEnd(quoted.length - 1, 'x') + '"' : quoted,
  );
}

/** The text without statements of absence; quotations stay whole. */
export function withoutDenials(text: string): string {
  let rest = '';
  let from = 0;
  for (const denied of maskQuotations(text).matchAll(DENIED)) {
    rest += `${text.slice(from, denied.index)} `;
    from = denied.index + denied[0].length;
  }
  return rest + text.slice(from);
}

/** True when the text names a symptom that it does not deny. */
export function namesSymptom(text: string): boolean {
  return SYMPTOM_WORDS.test(withoutDenials(text));
}

/** Words inside a quotation of several words are a program's, not the reporter's. */
function ownWords(clause: string): string {
  return clause.replace(/"[^"\n]{1,400}"|“[^”\n]{1,400}”/g, (quoted) => (quoted.includes(' ') ? '""' : quoted));
}

/** How one clause is meant, its section left aside. */
export function clauseStance(clause: string): Stance {
  const own = ownWords(clause);
  if (GUESS_WORDS.test(own)) return 'guess';
  if (EXPECTED_WORDS.test(own)) return 'expected';
  const rest = withoutDenials(own);
  if (WELL_WORDS.test(rest) && !hasHardSymptom(rest)) return 'contrast';
  if (SYMPTOM_WORDS.test(rest)) return 'observed';
  return 'neutral';
}

/** Symptoms that outweigh a friendly word in the same clause: "works for a while, then raises …". */
function hasHardSymptom(text: string): boolean {
  return /\b(?:rais(?:es|ed)|throws?|crash(?:es|ed)|fail(?:s|ed)|dies|hangs|stuck|dead-?lock|nan|no longer|any ?more|stops? (?:working|responding)|never|(?:does|do|did|has|have)(?:n't| not) (?:work|finish|complete|pass|load|train)(?:s|ed)?)\b|[a-z](?:Error|Exception)\b/i.test(
    text.replace(/\bnever happens?\b/gi, ''),
  );
}

const CLAUSE_CUT =
  /(?<=[\w)`'"”\]])(?:(?=,? (?:instead of|rather than) )|, (?=(?:but|while|whereas|although|though|yet|and then|so|because|then|that is|since|even though) |(?:it|this|they|that|which) (?:should|ought|must|has to|have to|is supposed|was expected|is expected) )| (?=(?:but|whereas|although) )| (?=where (?:one|I|we|you) )|; | – | — | - |, (?=`|when |with |on |if |in ))/gi;
const QUOTED = /"[^"\n]{1,400}"|“[^”\n]{1,400}”|`[^`\n]{1,400}`|\([^()\n]{1,200}\)/g;

/** Clauses of a sentence: cut where a turn of meaning is likely, never inside quotations, code or brackets. */
export function clausesOf(sentence: string): string[] {
  const masked = sentence.replace(QUOTED, (part) => `${part.charAt(0)}${'x'.repeat(part.length - 2)}${part.charAt(part.length - 1)}`);
  const clauses: string[] = [];
  let start = 0;
  for (const cut of masked.matchAll(CLAUSE_CUT)) {
    clauses.push(sentence.slice(start, cut.index));
    start = cut.index + cut[0].length;
  }
  clauses.push(sentence.slice(start));
  return clauses.filter((part) => part.trim() !== '');
}

const SECTION_STANCES: Partial<Record<Section, Stance>> = { expected: 'expected', guess: 'guess' };

/** How a sentence is meant: its section or label decides first, then the strongest of its clauses. */
export function stanceOf(sentence: string, section: Section): Stance {
  const bySection = SECTION_STANCES[section];
  if (bySection !== undefined) return bySection;
  if (section === 'environment') return 'neutral';
  const clauses = clausesOf(sentence);
  const stances = clauses.map(clauseStance);
  // "The score is 1.3, it should be below 1": a value set against an expectation is an observation.
  const expectedAt = stances.indexOf('expected');
  if (expectedAt > 0 && stances[0] === 'neutral' && /\d/.test(clauses[0] ?? '')) return 'observed';
  for (const stance of ['observed', 'guess', 'expected', 'contrast'] as const) {
    if (stances.includes(stance)) return stance;
  }
  return section === 'observed' && /\d/.test(sentence) ? 'observed' : 'neutral';
}
