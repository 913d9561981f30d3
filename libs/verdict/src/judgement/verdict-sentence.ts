import type { ControlResult, FacetResult, Grade, Rate, VerdictState } from '@reenact/domain';

/** What the one sentence of a verdict is made from. */
export interface SentenceParts {
  verdict: VerdictState;
  rate: Rate;
  grade: Grade | null;
  depth: string;
  facets: FacetResult[];
  controls: ControlResult[];
  reason: string | null;
  /** A word of detail: a finding, the other failure, the limit. */
  detail?: string;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}`;
}

function rateWords(rate: Rate): string {
  return `${rate.shown} of ${rate.total} fresh trials show it (95 % interval ${percent(rate.low)}–${percent(rate.high)} %)`;
}

function controlWords(controls: readonly ControlResult[]): string {
  const ran = controls.filter((control) => control.rate.total > 0 && control.arm !== 'tripwire');
  if (ran.length === 0) return 'no control could be run';
  return ran
    .map(
      (control) =>
        `${control.rate.shown} of ${control.rate.total} with ${control.label}${control.state === 'undecided' ? ' (undecided)' : ''}`,
    )
    .join(', ');
}

function facetCounts(facets: readonly FacetResult[]): string {
  const live = facets.filter((facet) => facet.live);
  const count = (state: FacetResult['state']) => live.filter((facet) => facet.state === state).length;
  const words = (['shown', 'absent', 'collision', 'undecided'] as const)
    .filter((state) => count(state) > 0)
    .map((state) => `${count(state)} ${state}`);
  return words.join(', ');
}

function ending(parts: SentenceParts): string {
  return `grade ${parts.grade ?? 'unknown'}, depth ${parts.depth}`;
}

/** The answer in one sentence, the same everywhere. */
export function verdictSentence(parts: SentenceParts): string {
  const detail = parts.detail ? `: ${parts.detail}` : '';
  switch (parts.verdict) {
    case 'reproduced':
      return `Reproduced: ${rateWords(parts.rate)}, ${controlWords(parts.controls)}; ${ending(parts)}.`;
    case 'reproduced_uncontrolled':
      return `Reproduced without a control: ${rateWords(parts.rate)}, ${controlWords(parts.controls)}; ${ending(parts)}.`;
    case 'reproduced_unstable':
      return `Reproduced, but unstable: ${rateWords(parts.rate)}, ${controlWords(parts.controls)}; ${ending(parts)}.`;
    case 'partial':
      return `Partly reproduced: of the claimed symptoms ${facetCounts(parts.facets)}; ${ending(parts)}.`;
    case 'different_failure':
      return `Another failure than the reported one${detail}.`;
    case 'not_shown':
      return `Not shown: the script ran, and no claimed symptom came in ${parts.rate.total} ${parts.rate.total === 1 ? 'trial' : 'trials'}.`;
    case 'not_reproduced':
      return `Not reproduced: independent attempts reached the reported phase, and no claimed symptom came${detail}.`;
    case 'refused':
      return `Refused: the script does not prove what it shows${detail}.`;
    case 'model_of_bug':
      return `A model of the bug: the mechanism is restated, the project's own code was not loaded${detail}.`;
    case 'inconclusive':
      return `Inconclusive${detail || (parts.reason ? `: ${parts.reason}` : '')}.`;
    case 'infra_error':
      return `No result: the platform failed${detail}.`;
    case 'cancelled':
      return 'Cancelled before a verdict.';
    case 'fixed':
      return `Fixed: shown on the reported version, absent on the newer one${detail}.`;
    case 'needs_info':
      return `More information is needed${detail}.`;
    case 'unsupported':
      return `Not supported here: ${parts.reason ?? 'unknown'}${detail}.`;
    case 'not_a_bug':
      return `Not a bug, by a person's decision${detail}.`;
  }
}
