import type { Rest } from '@reenact/domain';

/** What a rest is, in a few words for a link. Names of trials are ours; nothing in it is untrusted but ids of facets, which are left out. */
export function restWords(rest: Rest): string {
  switch (rest.type) {
    case 'record':
      return `trial ${rest.trial}, record ${rest.seq}`;
    case 'trials':
      return `${rest.trials.length} ${rest.arm} ${rest.trials.length === 1 ? 'trial' : 'trials'}`;
    case 'finding':
      return `finding ${rest.index + 1}`;
    case 'environment':
      return 'environment';
    case 'report':
      return `report, characters ${rest.span.start}–${rest.span.end}`;
    case 'claim':
      return 'reading of the report';
    case 'attempt':
      return `attempt ${rest.context}-${rest.attempt}`;
    case 'judgement':
      return `judge: ${rest.field}`;
    case 'run':
      return "run's record";
  }
}

/** Rests that differ in their words: a sentence that rests on one trial set twice names it once. */
export function distinctRests(rests: readonly Rest[]): Rest[] {
  return rests.filter((one, index) => rests.findIndex((other) => restWords(other) === restWords(one)) === index);
}
