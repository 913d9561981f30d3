import type { Report } from '@reenact/domain';
import type { Line } from '../lines.js';
import { findAll, overlaps, uniqueBy } from '../scan.js';
import { distributionName, PACKAGE_ALIASES } from './package-names.js';

type Package = Report['packages'][number];

const VERSION = String.raw`v?\d{1,4}(?:\.(?:\d{1,6}|x|X|\*)){1,4}(?:(?:a|b|rc|\.post|\.dev)\d{1,8})?(?:\+[\w.]{1,40})?`;
/** A distribution's version may also be one number with a letter for "any": `2.x`, or a year-less major. */
const LIST_SEPARATOR = String.raw`(?:\s?[,/|]\s?|\s+(?:and|or|to|as well as|also with|also seen with|vs\.?)\s+|\s?[(,]\s?(?:also |and |same |too )?(?:seen|tested|tried|happens|reproduced|checked|fails|occurs) (?:also |too )?(?:with|on|in|under) (?:torch |version )?|\s?(?:->|→|–|-)\s?)`;
const NAMES = Object.keys(PACKAGE_ALIASES)
  .sort((a, b) => b.length - a.length)
  .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  .join('|');
const PROSE = new RegExp(
  String.raw`(?<![\w./-])(${NAMES})(?: versions?| release)?(?: ?(?:==|>=|~=|=|:|@|-) ?| (?:CPU|GPU|cu\d+) | )(${VERSION}(?:${LIST_SEPARATOR}${VERSION}){0,5})(?![\w])`,
  'gi',
);
const ONE_VERSION = new RegExp(VERSION, 'g');
const FREEZE = new RegExp(String.raw`^\s{0,8}([A-Za-z][\w.-]{0,80}(?:\[[\w,-]{1,80}\])?) ?(==|===|~=|>=|@) ?(${VERSION})\s*$`);
const COLLECT = new RegExp(String.raw`^\s{0,8}\[(pip3?|conda)\] ([A-Za-z][\w.-]{0,80})(?:==| +)(${VERSION})(?: .{0,120})?$`);
const COLLECT_HEAD = new RegExp(String.raw`^\s{0,8}(PyTorch|TensorFlow|JAX|NumPy|Transformers) version: ?(${VERSION})\s*$`, 'i');
const LIST_ROW = new RegExp(String.raw`^\s{0,8}([A-Za-z][\w.-]{1,80}) {1,60}(${VERSION})(?: +[\w.=+/:-]{1,80}){0,3}\s*$`);
const TABLE_CELL = new RegExp(String.raw`^v?(${VERSION})$`);

/** The version does not show the fault: words directly around it. */
const GOOD_BEFORE =
  /(?:fine|works?|worked|good|ok(?:ay)?|no (?:problem|issue|error)s?|not (?:seen|present|affected)|disappears|trains?|loads?|load|ran|runs?|passes|unaffected|goes away|without (?:error|trouble))(?: (?:normally|fine|correctly|well|ok))? (?:with|on|in|under|using|at|by|until|up to|when (?:using|I use))(?: \w+){0,2} ?$/i;
const BEFORE_UPGRADE =
  /(?:since|after)(?: (?:\w+ ){0,4})?(?:upgrad\w+|updat\w+|mov\w+|switch\w*|bump\w*)(?: \w+){0,2} from ?$|\bupgrad\w+(?: \w+){0,3} from ?$|\bdowngrad\w+(?: \w+){0,2} to ?$|\b(?:before|until|up to|prior to|previously|older than) ?$/i;
const GOOD_AFTER =
  /^[^.;\n]{0,12}(?:and (?:older|earlier|below|before)[^.;\n]{0,60}|or (?:older|earlier)[^.;\n]{0,60}|,? ?(?:it|this|the same|everything|all|training|that)[^.;,\n]{0,50}) ?(?:works?|worked|fine|loads?|trains?|trained|is ok(?:ay)?|runs?|ran|passes|goes through)|^ (?:works?|worked|is fine|was fine|is ok|is not affected|is unaffected|runs fine|has no (?:problem|issue))/i;

function isGood(text: string, start: number, end: number): boolean {
  const from = Math.max(text.lastIndexOf('\n\n', start), text.lastIndexOf('. ', start - 1), start - 160, 0);
  const before = text.slice(from, start).replace(/\s+/g, ' ').replace(/^\. /, '');
  const after = text.slice(end, end + 160).replace(/\s+/g, ' ');
  const denied = /\b(?:no longer|not any ?more|does(?:n't| not)|did(?:n't| not)|never|cannot|can't|also (?:fails|seen))\b/i;
  if (BEFORE_UPGRADE.test(before)) return true;
  if (GOOD_BEFORE.test(before) && !denied.test(before)) return true;
  const same = GOOD_AFTER.exec(after);
  return same !== null && !denied.test(same[0]) && !/\b(?:fails?|error|crash)/i.test(same[0]);
}

function fromProse(text: string, maxItems: number): Package[] {
  const found: Package[] = [];
  for (const match of findAll(PROSE, text, maxItems)) {
    const start = match.index;
    const good = isGood(text, start, start + match[0].length);
    const list = match[2] ?? '';
    const listAt = start + match[0].lastIndexOf(list);
    for (const version of findAll(ONE_VERSION, list, 10)) {
      const at = listAt + version.index;
      const name = distributionName(match[1] ?? '');
      found.push({
        span: { start: at, end: at + version[0].length },
        name,
        version: version[0].replace(/^v/, ''),
        source: 'prose',
        role: good ? 'good' : 'used',
      });
    }
  }
  return found;
}

function spanIn(line: Line, part: string): { start: number; end: number } {
  const at = line.contentStart + line.text.lastIndexOf(part);
  return { start: at, end: at + part.length };
}

function fromListLine(line: Line, inList: boolean): Package | null {
  const make = (name: string, version: string, source: Package['source']): Package => ({
    span: spanIn(line, version),
    name: distributionName(name.replace(/\[.*$/, '')),
    version: version.replace(/^v/, ''),
    source,
    role: 'used',
  });
  const collect = COLLECT.exec(line.text);
  if (collect !== null) return make(collect[2] ?? '', collect[3] ?? '', collect[1] === 'conda' ? 'conda' : 'collect-env');
  const head = COLLECT_HEAD.exec(line.text);
  if (head !== null) return make(head[1] ?? '', head[2] ?? '', 'collect-env');
  const freeze = FREEZE.exec(line.text);
  if (freeze !== null) return make(freeze[1] ?? '', freeze[3] ?? '', freeze[2] === '==' || freeze[2] === '===' ? 'pip' : 'requirement');
  if (!inList) return null;
  const row = LIST_ROW.exec(line.text);
  if (row === null) return null;
  const conda = / {2,}\S+ {2,}\S/.test(line.text.trim()) || /[ =]py(?:hd|t|\d)/.test(line.text);
  return make(row[1] ?? '', row[2] ?? '', conda ? 'conda' : 'pip');
}

function fromTableLine(line: Line): Package | null {
  const cells = line.text
    .split('|')
    .map((cell) => cell.replace(/[`*]/g, '').trim())
    .filter((cell) => cell !== '');
  const [name, version] = cells;
  if (name === undefined || version === undefined || !/^[A-Za-z][\w. -]{0,60}$/.test(name)) return null;
  const found = TABLE_CELL.exec(version);
  const lower = name.toLowerCase();
  if (found === null || /^(?:python|cuda|os|driver|gcc|cudnn|ubuntu|debian|linux|windows)\b/.test(lower)) return null;
  if (PACKAGE_ALIASES[lower] === undefined && /\s/.test(name)) return null;
  return { span: spanIn(line, found[1] ?? ''), name: distributionName(name), version: found[1] ?? '', source: 'table', role: 'used' };
}

/** `name   1.2.3` is a package only within a list: a neighbour line has the same form. */
function isListRow(lines: readonly Line[], at: number): boolean {
  const isRow = (line: Line | undefined): boolean =>
    line !== undefined &&
    (LIST_ROW.test(line.text) || /^(?:Package +Version|-{3,} +-{3,}|# packages in environment|# Name +Version)/.test(line.text.trim()));
  return isRow(lines[at]) && (isRow(lines[at - 1]) || isRow(lines[at + 1]));
}

const NOT_PACKAGES = new Set([
  'python',
  'cuda',
  'step',
  'epoch',
  'loss',
  'acc',
  'iter',
  'version',
  'rank',
  'lr',
  'driver',
  'gcc',
  'cudnn',
  'line',
]);

/**
 * Versions of distributions: `pip list` and `pip freeze`, `conda list`, `collect_env`, Markdown tables, requirement
 * lines and prose ("torch 1.13.1 and 2.6.0", "PyTorch 2.x", "fine with torch 1.12" with role `good`).
 */
export function readPackages(text: string, lines: readonly Line[], maxItems: number): Package[] {
  const found: Package[] = [];
  lines.forEach((line, at) => {
    if (line.kind === 'comment') return;
    const entry = line.kind === 'table' ? fromTableLine(line) : fromListLine(line, isListRow(lines, at));
    if (entry !== null && !NOT_PACKAGES.has(entry.name)) found.push(entry);
  });
  for (const entry of fromProse(text, maxItems)) {
    if (!found.some((other) => overlaps(other.span, entry.span))) found.push(entry);
  }
  found.sort((a, b) => a.span.start - b.span.start);
  return uniqueBy(found, (entry) => `${entry.name} ${entry.version} ${entry.role}`).slice(0, maxItems);
}
