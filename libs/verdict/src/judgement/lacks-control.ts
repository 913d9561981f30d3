import type { Judgement } from './judge-input.js';

/**
 * Whether the signal is there and a control is all that it lacks: then a proposal for the suspected functions may give
 * one. A control that shows the signal is an answer of its own, and no other one helps.
 */
export function lacksControl({ verdict, reason, rate, controls }: Pick<Judgement, 'verdict' | 'reason' | 'rate' | 'controls'>): boolean {
  if (controls.some((control) => control.arm !== 'tripwire' && (control.state === 'absent' || control.state === 'shown'))) return false;
  return verdict === 'reproduced_uncontrolled' || (verdict === 'inconclusive' && reason === 'control' && rate.shown > 0);
}
