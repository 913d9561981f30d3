import type { Facet, Oracle } from '@reenact/domain';
import { compilePattern } from '../pattern/safe-pattern.js';

function patternsOf(oracle: Oracle): { source: string; flags: string }[] {
  switch (oracle.kind) {
    case 'output': {
      const patterns = [oracle.pattern, ...(oracle.notFollowedBy === undefined ? [] : [oracle.notFollowedBy])];
      return patterns.map((source) => ({ source, flags: oracle.flags }));
    }
    case 'printed':
      return [{ source: oracle.pattern, flags: oracle.flags }];
    case 'warning':
      return oracle.pattern === undefined ? [] : [{ source: oracle.pattern, flags: 's' }];
    case 'exception':
      return oracle.message?.match === 'regex' ? [{ source: oracle.message.text, flags: 's' }] : [];
    case 'file':
      return [oracle.pattern, oracle.missingPattern].flatMap((source) => (source === undefined ? [] : [{ source, flags: 'm' }]));
    default:
      return [];
  }
}

/** Tries every pattern of the facets' oracles before any trial is spent on them. @throws AppError `oracle-invalid` */
export function checkOracles(facets: readonly Facet[]): void {
  for (const facet of facets) {
    for (const oracle of facet.oracles) {
      for (const { source, flags } of patternsOf(oracle)) compilePattern(source, flags);
    }
  }
}
