import type { Report } from '@reenact/domain';
import { findAll, overlaps, spanWithin, uniqueBy } from '../scan.js';

const LINK = /\bhttps?:\/\/[^\s<>"'`)\]]{3,500}/g;
const SEED =
  /\b(?:manual_seed(?:_all)?\(|random\.seed\(|seed_everything\(|set_seed\(|(?:random[ _-]?)?seeds?(?: ?(?:=|:|is|of|was|to))? ?|--seed[ =]|PYTHONHASHSEED=)(\d{1,10})\b/gi;
const FILE_TOKEN = /[^\s`"'()<>,;|[\]{}*]{1,300}/g;
const FILE =
  /^(?:\.{0,2}[\\/]|~\/|[A-Za-z]:\\)?(?:[\w.@-]{1,80}[\\/]){0,20}[\w.@+-]{1,100}\.(?:py|ipynb|ya?ml|toml|json|cfg|ini|sh|txt|csv|npz?|pt|pth|ckpt|bin|h5|safetensors|pkl|onnx|log|cu|cpp|md)$/;
const TICKED = /`{1,2}([^`\n]{1,120})`{1,2}/g;
const SYMBOL = /^[A-Za-z_]\w{0,80}(?:\.[A-Za-z_]\w{0,80}){0,10}(?:\(.{0,60}\))?$/;
const DOTTED = /(?<![\w./@-])[A-Za-z_]\w{1,40}(?:\.[A-Za-z_]\w{0,60}){1,8}(?![\w/@])/g;
/** Endings that make a dotted word a file, an address or an abbreviation. */
const NOT_SYMBOL =
  /\.(?:py|ipynb|ya?ml|toml|json|cfg|ini|sh|txt|csv|npz?|pt|pth|ckpt|bin|h5|safetensors|pkl|onnx|log|cu|cpp|md|com|org|io|net|ai|x)$|^(?:e\.g|i\.e|etc|www)\b/i;
const DATE = /\b((?:19|20)\d\d)[-/.](0[1-9]|1[0-2])[-/.](0[1-9]|[12]\d|3[01])\b/;
const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
const LONG_DATE =
  /\b(?:(\d{1,2})(?:st|nd|rd|th)?[. ] ?)?(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.? (?:(\d{1,2})(?:st|nd|rd|th)?,? )?((?:19|20)\d\d)\b/i;

/** Web addresses. */
export function readLinks(text: string, maxItems: number): Report['links'] {
  return findAll(LINK, text, maxItems).map((match) => {
    const url = match[0].replace(/[.,;:!?]+$/, '');
    return { span: spanWithin(match, url), url };
  });
}

/** Seeds in calls, options and prose. */
export function readSeeds(text: string, maxItems: number): Report['seeds'] {
  const found = findAll(SEED, text, maxItems).map((match) => ({ span: spanWithin(match, match[1] ?? ''), value: Number(match[1]) }));
  return uniqueBy(found, (seed) => String(seed.value));
}

/** File names and paths; those inside of links are left out. */
export function readFiles(text: string, links: Report['links'], maxItems: number): Report['files'] {
  const found: Report['files'] = [];
  let link = 0;
  for (const match of findAll(FILE_TOKEN, text, 200_000)) {
    const path = match[0]
      .replace(/[.,:!?]+$/, '')
      .replace(/^(?:file:\/\/|--?[\w-]{1,40}=)/, '')
      .replace(/:\d{1,9}$/, '');
    if (!FILE.test(path)) continue;
    const span = spanWithin(match, path);
    while (link < links.length && (links[link]?.span.end ?? 0) <= span.start) link += 1;
    const inLink = links[link];
    if (inLink === undefined || !overlaps(inLink.span, span)) found.push({ span, path });
    if (found.length >= maxItems * 4) break;
  }
  return uniqueBy(found, (file) => file.path).slice(0, maxItems);
}

/** Names of code: back-ticked identifiers and dotted names. */
export function readSymbols(text: string, maxItems: number): Report['symbols'] {
  const found: Report['symbols'] = [];
  for (const match of findAll(TICKED, text, maxItems * 4)) {
    const name = (match[1] ?? '').trim();
    if (SYMBOL.test(name) && !NOT_SYMBOL.test(name)) found.push({ span: spanWithin(match, name), name: name.replace(/\(.*$/, '') });
  }
  for (const match of findAll(DOTTED, text, maxItems * 4)) {
    if (!NOT_SYMBOL.test(match[0])) found.push({ span: spanWithin(match, match[0]), name: match[0] });
  }
  found.sort((a, b) => a.span.start - b.span.start);
  return uniqueBy(found, (symbol) => symbol.name).slice(0, maxItems);
}

/** Filing date as `YYYY-MM-DD`: a labelled date, else the first one in the head of the text. */
export function readDate(text: string): string | null {
  const labelled = /^\s{0,8}(?:\*\*)?(?:date|created(?: at)?|opened|filed|reported(?: on)?|submitted)(?:\*\*)?\s?:\s?(.{6,60})$/im.exec(
    text,
  )?.[1];
  const place = labelled ?? text.slice(0, 2_000);
  const iso = DATE.exec(place);
  if (iso !== null) return `${iso[1] ?? ''}-${iso[2] ?? ''}-${iso[3] ?? ''}`;
  const long = LONG_DATE.exec(place);
  const day = Number(long?.[1] ?? long?.[3] ?? Number.NaN);
  if (long === null || !(day >= 1 && day <= 31)) return null;
  const month = MONTHS.findIndex((name) => name.startsWith((long[2] ?? '').toLowerCase().slice(0, 3))) + 1;
  return `${long[4] ?? ''}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
