import { isReproduced } from '@reenact/domain';
import type { Verdict } from '@reenact/domain';

/** The one command that helps most after a verdict. Pure. */
export function nextCommand(verdict: Verdict): string {
  if (isReproduced(verdict.verdict)) {
    return verdict.bundle === null
      ? `./reenact show ${verdict.runId}`
      : `./reenact open ${verdict.runId}   (unpacks the bundle; sh run.sh runs it by hand)`;
  }
  switch (verdict.verdict) {
    case 'infra_error':
      return './reenact doctor';
    case 'needs_info':
      return `./reenact show ${verdict.runId}   (lists what the report lacks)`;
    case 'unsupported':
      return verdict.bundle === null
        ? `./reenact show ${verdict.runId}   (says what is missing, and how to give it)`
        : `./reenact open ${verdict.runId}   (a bundle to run where it is: sh run.sh)`;
    case 'inconclusive':
      return verdict.reason?.startsWith('budget') === true
        ? 'the same command with a larger --budget-… or --attempts'
        : `./reenact logs ${verdict.runId}`;
    default:
      return `./reenact logs ${verdict.runId}`;
  }
}
