import { Oracle } from '@reenact/domain/schemas';
import type { FacetDraft } from './facet-id.js';
import type { LiveClause } from './live-clauses.js';

type LaterKind = 'trend' | 'oom' | 'nondeterminism' | 'desync' | 'slow' | 'roundtrip' | 'differential';

/** A symptom that is recognised and whose check needs measurements that rules cannot bind. */
interface LaterRule {
  kind: LaterKind;
  name: string;
  /** Every one of these must occur in the clause. */
  all: readonly RegExp[];
  not?: RegExp;
  note: string;
}

const RANKS = /\b(?:workers?|ranks?|process(?:es)?|replicas?|gpus|nodes|devices|peers)\b/i;
const APART =
  /\b(?:differ(?:s|ent|ently)?|diverges?|diverged|drift(?:s|ed)?(?: apart)?|disagree(?:s)?|out of sync|not (?:in sync|synchroni[sz]ed|identical|equal|the same)|far apart|desync\w{0,12}|unequal|inconsistent|own (?:model|weights|copy)|no longer (?:agree|equal|identical|match)|mismatch(?:ed)?)\b/i;

/** First match wins; narrower symptoms come first. */
const RULES: readonly LaterRule[] = [
  {
    kind: 'trend',
    name: 'memory growth',
    note: 'memory growth: needs a slope over steps against a control',
    all: [
      /\b(?:memory|ram|rss|vram|resident (?:set|size|memory)|heap|footprint)\b/i,
      /\b(?:grow(?:s|ing|n|th)?|grew|increas(?:es?|ed|ing)|goes up|going up|went up|leaks?|leaked|leaking|climb(?:s|ed|ing)?|ris(?:es|ing|e)|rose|creep(?:s|ing)?|accumulat(?:es?|ed|ing)|piles? up|fills? up|swell(?:s|ing)?|never (?:freed|released)|not (?:freed|released)|keeps? (?:going|getting)|more and more|up (?:step by step|with every))\b/i,
    ],
  },
  {
    kind: 'trend',
    name: 'memory growth',
    note: 'memory growth: needs a slope over steps against a control',
    all: [/\bmemory[- ]leaks?\b|\bleaks? memory\b/i],
  },
  {
    kind: 'oom',
    name: 'out of memory',
    note: 'out of memory: needs a memory limit and sizes',
    all: [/\bout[- ]of[- ]memory\b|\bOOM(?:s|ed|-killed| killer)?\b|\bkernel (?:kills|ends) the process\b/i],
  },
  {
    kind: 'nondeterminism',
    name: 'differs between runs',
    note: 'results differ between runs: needs repeated runs of one script',
    all: [
      /\b(?:(?:from|between|across|over|in|on|with|at|for) (?:one |each |every |different |several |two |repeated |identical |successive |consecutive |the same )?(?:run|call|start|launch|execution|invocation|try|restart|time)s?\b|(?:run|call|start|time) to (?:the )?(?:run|call|start|time|next|other)|every time|each time|\b(?:two|both|several|repeated) (?:\w+ )?runs\b|\bsame seeds?\b|\b(?:twice|several times|repeatedly|a second time)\b|not reproducible|non-?determin\w{3,10}|irreproducible)/i,
      /\b(?:differ(?:s|ent|ently)?|change(?:s|d)?|var(?:y|ies|ied)|not (?:the same|reproducible|equal|identical|deterministic)|other (?:numbers?|values?|results?)|another (?:number|value|result|order)|like dice|random(?:ly)?|irreproducible|non-?determin\w{3,10}|scores? .{0,60} or |from one .{2,40} to the (?:next|other))\b/i,
    ],
    not: /\b(?:batch size|learning rate|version|ranks?|workers?|every step|each step)\b/i,
  },
  {
    kind: 'desync',
    name: 'ranks differ',
    note: 'ranks differ: needs a comparison over ranks',
    all: [RANKS, APART],
    not: /\b(?:versions?|runs?)\b.{0,20}\bdiffer/i,
  },
  {
    kind: 'slow',
    name: 'slow',
    note: 'slowness: needs timings against a control',
    all: [
      /\b(?:slow(?:er|s|ly|ed|down|ness)?(?: down)?|sluggish|takes? (?:much |far |several times |\d{1,4} ?(?:x|times) |very |too )?(?:longer|long)|throughput (?:drops?|falls?|halves|goes down|collapses|is (?:lower|halved))|speed (?:drops?|falls?|goes down|decreases)|(?:updates|samples|images|steps|tokens|iterations|batches) (?:per|\/|a) (?:second|sec|s|minute|hour)\b.{0,80}\b(?:fewer|less|only|down to|drops?|falls?)|quadratic(?:ally)?|(?:time|cost|duration) (?:per \w+ )?(?:grows?|increases?|rises?|goes up)|performance (?:regression|drop|degrad\w{3,7}))\b/i,
    ],
    not: /\b(?:learns?|converges?|decreases?|improves?|falls?|drops?) (?:\w+ )?slow(?:er|ly)\b|\bslow(?:er|ly)? (?:to converge|convergence|learning)\b|\bgets? slowly\b/i,
  },
  {
    kind: 'roundtrip',
    name: 'save and load',
    note: 'saving and loading changes something: needs values before and after',
    all: [
      /\b(?:sav(?:e|es|ed|ing)|load(?:s|ed|ing)?|restor(?:e|es|ed|ing)|resum(?:e|es|ed|ing)|checkpoint(?:s|ing)?|reload\w{0,3}|serializ\w{1,5}|export\w{0,3})\b/i,
      /\b(?:differ(?:s|ent)?|lost|loses?|reset(?:s)?|forgot(?:ten)?|forgets?|not restored|starts? (?:over|again|from (?:scratch|zero|the beginning))|jumps?|other (?:outputs?|predictions?|results?|values?)|worse|back (?:at|to)|wrong|missing)\b/i,
    ],
  },
  {
    kind: 'differential',
    name: 'modes differ',
    note: 'two modes give different results: needs both and a reference',
    all: [
      /\b(?:(?:on|between|from|with|in|under) (?:the )?(?:cpu|gpu|cuda|mps|eager|compiled?|fp16|bf16|amp|half|float16|bfloat16|torchscript|onnx|jit|eval(?:uation)? mode|train(?:ing)? mode)|torch\.compile|onnx|torchscript)\b/i,
      /\b(?:differ(?:s|ent|ently|ence)?|mismatch|not (?:equal|the same|identical|close)|other (?:results?|outputs?|values?)|wrong (?:results?|outputs?|values?)|diverges?)\b/i,
    ],
  },
];

function toDraft(clause: LiveClause, rule: LaterRule): FacetDraft {
  return {
    name: rule.name,
    title: clause.title,
    statement: clause.sentence,
    span: clause.span,
    stance: 'observed',
    // Without the name of an observation it stays undecided until a script's own names bind it; only want of memory needs none.
    oracles: [Oracle.parse({ kind: rule.kind, note: rule.note })],
    shownBy: 'measurement',
    note: rule.note,
  };
}

/** Facets for symptoms whose check belongs to kinds that rules cannot bind; at most one of each kind. */
export function laterFacets(clauses: readonly LiveClause[]): FacetDraft[] {
  const drafts = new Map<LaterKind, FacetDraft>();
  for (const clause of clauses) {
    const rule = RULES.find(
      (candidate) => candidate.all.every((pattern) => pattern.test(clause.text)) && !(candidate.not?.test(clause.text) ?? false),
    );
    if (rule === undefined) continue;
    const known = drafts.get(rule.kind);
    if (known === undefined || (clause.title && !known.title)) drafts.set(rule.kind, toDraft(clause, rule));
  }
  return [...drafts.values()];
}
