import type { ScriptFile } from '@reenact/domain';
import { VALUE, valueGiven } from './named-value.js';

/** Files of a script with one setting changed to the value of the report's contrast, and what was changed in words. */
export interface ChangedScript {
  files: ScriptFile[];
  label: string;
}

const MOST_NAMES = 60;

/**
 * A keyword of a call of the script with the value under which the report says that all is well: the script has
 * `num_workers=2`, the clause "with `num_workers=0` it works". Only whole literal values are replaced, in every place.
 */
export function byKeyword(files: readonly ScriptFile[], clause: string): ChangedScript | null {
  const code = files.map((file) => file.text).join('\n');
  const names = new Set([...code.matchAll(/[(,]\s{0,40}([A-Za-z_]\w{1,40})\s?=(?!=)/g)].map((match) => match[1]!));
  for (const name of [...names].slice(0, MOST_NAMES)) {
    const value = valueGiven(clause, name);
    if (value === null) continue;
    const literal = asLiteral(value);
    const keyword = new RegExp(String.raw`([(,]\s{0,40}${name}\s?=\s?)(${VALUE})(?=\s{0,40}[,)])`, 'g');
    const changed = files.map((file) => ({ ...file, text: file.text.replace(keyword, (_whole, head: string) => `${head}${literal}`) }));
    if (changed.some((file, index) => file.text !== files[index]?.text)) return { files: changed, label: `with \`${name}=${literal}\`` };
  }
  return null;
}

/** Numbers, constants and dotted names stay; any other word of prose is a string in Python. */
function asLiteral(value: string): string {
  if (/^(?:true|false|none)$/i.test(value)) return value.charAt(0).toUpperCase() + value.slice(1).toLowerCase();
  if (/^-?\d/.test(value) || /^['"]/.test(value) || value.includes('.')) return value;
  return `'${value}'`;
}
