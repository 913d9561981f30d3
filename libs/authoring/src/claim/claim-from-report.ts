import type { Claim, Report } from '@reenact/domain';
import { contrastsIn } from '../trigger/contrast-clauses.js';
import { chooseFacets } from './choose-facets.js';
import { withIds } from './facet-id.js';
import { liveClauses } from './live-clauses.js';
import { claimedFrames } from './printed-exceptions.js';

const MOST_TRIGGERS = 10;
const CONDITION =
  /\b(?:when|whenever|if|as soon as|once|after|since|only (?:with|on|in|for|if)|with (?:two|\d+|several|more than)|for (?:single|empty|the last))\b/i;

/** Sentences that name a condition: where all is well, and what must hold for the symptom. */
function triggersOf(report: Report): Claim['triggers'] {
  const telling = report.sentences.filter(
    ({ stance, text }) => stance === 'contrast' || (stance === 'observed' && (CONDITION.test(text) || contrastsIn(text).length > 0)),
  );
  return telling.slice(0, MOST_TRIGGERS).map((sentence) => ({ text: sentence.text, span: sentence.span }));
}

function plainPackages(report: Report, role: 'used' | 'good'): { name: string; version: string }[] {
  return report.packages.filter((entry) => entry.role === role).map(({ name, version }) => ({ name, version }));
}

/**
 * Makes the claim of a report by rules alone. Every type, message, number and version in it stands in the report; bounds
 * that follow from a metric's definition (accuracy at most 1) are the only exception. A symptom without a clear check
 * becomes a facet without oracle, or with one of a later kind, and a note.
 */
export function claimFromReport(report: Report): Claim {
  const clauses = liveClauses(report);
  const facets = withIds(chooseFacets(report, clauses));
  const missing = facets.length === 0 && !report.missing.includes('symptom') ? [...report.missing, 'symptom'] : report.missing;
  return {
    schemaVersion: 1,
    title: report.title,
    reportDigest: report.digest,
    facets,
    triggers: triggersOf(report),
    frames: claimedFrames(report),
    symbols: report.symbols.map((symbol) => symbol.name),
    claimedRate: report.frequency?.rate ?? 1,
    worldSize: report.worldSize?.value ?? null,
    environment: {
      python: report.pythonVersions.map((entry) => entry.version),
      packages: plainPackages(report, 'used'),
      goodPackages: plainPackages(report, 'good'),
      devices: [...new Set(report.devices.map((device) => device.kind))],
    },
    missing,
    madeBy: 'rules',
  };
}
