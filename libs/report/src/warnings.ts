import type { Report } from '@reenact/domain';
import type { Line } from './lines.js';
import { stripLauncherPrefix } from './traceback/streams.js';

type Warning = Report['warnings'][number];

const PYTHON = /^(?:[^\s:][^:\n]{0,300}:\d{1,9}: )?([A-Za-z_]\w{0,80}Warning): (.{1,1000})$/;
/** torch's C++ warnings: `[W reducer.cpp:1251] Warning: …`. */
const NATIVE = /^\[W[^\]\n]{0,120}\] (?:Warning: )?(.{1,1000})$/;
const LOGGED = /^(?:WARNING|WARN|Warning)[: ](?:[\w.]{1,80}:)? ?(.{1,1000})$/;

function readOne(text: string): Omit<Warning, 'span'> | null {
  const python = PYTHON.exec(text);
  if (python !== null) return { category: python[1] ?? 'Warning', message: (python[2] ?? '').trim() };
  const native = NATIVE.exec(text);
  if (native !== null) return { category: 'native', message: (native[1] ?? '').trim() };
  const logged = LOGGED.exec(text);
  return logged === null ? null : { category: 'log', message: (logged[1] ?? '').trim() };
}

/** Warnings as Python, torch's C++ code or a logger prints them, outside of traces. */
export function readWarnings(lines: readonly Line[], consumed: ReadonlySet<number>, maxItems: number): Warning[] {
  const found: Warning[] = [];
  lines.forEach((line, index) => {
    if (found.length >= maxItems || consumed.has(index) || line.kind === 'comment' || line.kind === 'heading') return;
    const warning = readOne(stripLauncherPrefix(line.text.trim()).text);
    if (warning !== null) found.push({ span: { start: line.start, end: line.end }, ...warning });
  });
  return found;
}
