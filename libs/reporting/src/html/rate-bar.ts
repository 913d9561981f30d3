import type { Rate } from '@reenact/domain';
import { markup } from './safe-html.js';
import type { SafeHtml } from './safe-html.js';
import { rateWords } from '../verdict-words.js';

const WIDTH = 260;
const LEFT = 8;
const SPAN = WIDTH - 2 * LEFT;

/** A rate with its interval on an axis from 0 to 100 %, 260 × 36 pixels; its words are the text alternative. Nothing without trials. */
export function rateBar(rate: Rate): SafeHtml {
  if (rate.total === 0) return markup``;
  const x = (share: number): number => Math.round((LEFT + SPAN * Math.min(1, Math.max(0, share))) * 10) / 10;
  const low = x(rate.low);
  return markup`<svg width="${WIDTH}" height="36" viewBox="0 0 ${WIDTH} 36" role="img" aria-label="${rateWords(rate)}">
    <line class="axis" x1="${LEFT}" y1="12" x2="${LEFT + SPAN}" y2="12" stroke-width="2" />
    <rect class="band" x="${low}" y="6" width="${Math.max(1, x(rate.high) - low)}" height="12" rx="3" />
    <circle class="point" cx="${x(rate.shown / rate.total)}" cy="12" r="5" />
    <text x="${LEFT}" y="33">0 %</text>
    <text x="${WIDTH / 2}" y="33" text-anchor="middle">50 %</text>
    <text x="${LEFT + SPAN}" y="33" text-anchor="end">100 %</text>
  </svg>`;
}
