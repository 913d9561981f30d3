import type { Facet } from '@reenact/domain';
import { comparableMessage } from '../signature/mask-message.js';
import { facetOf } from './arm-states.js';
import type { JudgedTrial } from './judged-trial.js';
import { isDeterministic } from './live-facets.js';

/** Values must be the very same; of errors the signature. */
function signatureText(facet: Facet, trial: JudgedTrial): string {
  const text =
    facetOf(trial, facet.id)
      ?.grounding.map((ground) => ground.text)
      .join('\n') ?? '';
  return facet.oracles.some((oracle) => oracle.kind === 'relation' || oracle.kind === 'shape') ? text : comparableMessage(text).text;
}

/**
 * Whether trials of these facets need no test against chance: the report speaks of none, the kinds are deterministic, and
 * every trial that shows a facet shows one and the same signature (verdict.md section 6).
 */
export function hasOneSignature(facets: readonly Facet[], trials: readonly JudgedTrial[], expectedRate: number): boolean {
  if (expectedRate !== 1 || !facets.every(isDeterministic)) return false;
  return facets.every((facet) => {
    const shown = trials.filter((trial) => facetOf(trial, facet.id)?.state === 'shown');
    return new Set(shown.map((trial) => signatureText(facet, trial))).size <= 1;
  });
}
