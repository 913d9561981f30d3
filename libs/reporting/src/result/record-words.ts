import type { EvidenceOf, EvidenceRecord, Frame } from '@reenact/domain';
import { plainLines } from '../plain-text.js';

/** A record for people: what it is, and its lines. Untrusted; control characters are out, lengths are bounded. */
export interface RecordWords {
  label: string;
  lines: string[];
}

const MAX_LINES = 40;
const MAX_CHARACTERS = 2000;

/** One record of evidence in words. Pure. */
export function recordWords(record: EvidenceRecord): RecordWords {
  const { label, lines } = wordsOf(record);
  const shown = lines.slice(0, MAX_LINES).map((line) =>
    plainLines(line.slice(0, 2 * MAX_CHARACTERS))
      .join(' ')
      .slice(0, MAX_CHARACTERS),
  );
  if (lines.length > MAX_LINES) shown.push(`… ${lines.length - MAX_LINES} more lines`);
  return { label: record.rank === undefined ? label : `${label}, rank ${record.rank}`, lines: shown };
}

function wordsOf(record: EvidenceRecord): RecordWords {
  switch (record.kind) {
    case 'stream':
      return { label: record.channel, lines: [record.line] };
    case 'obs':
      return { label: 'observation', lines: Object.entries(record.values).map(([name, value]) => `${name}=${JSON.stringify(value)}`) };
    case 'exception':
      return { label: `exception, ${record.how}`, lines: exceptionLines(record) };
    case 'warning':
      return { label: 'warning', lines: [`${record.category}: ${record.message}`, frameLine(record.frame)] };
    case 'exit':
      return { label: 'exit', lines: [exitLine(record)] };
    case 'stall':
      return {
        label: 'stall',
        lines: [`silent for ${record.silentSeconds} s`, ...record.blocked.map(({ at }) => (at ? frameLine(at) : 'blocked'))],
      };
    case 'begin':
      return {
        label: 'begin',
        lines: [`sandbox ${record.sandbox}: ${record.isolation.join(', ')}`, `kernel ${record.kernel}, ${record.cpus} CPUs`],
      };
    case 'environment':
      return {
        label: 'environment',
        lines: [
          `Python ${record.python} on ${record.platform}`,
          record.distributions.map(({ name, version }) => `${name} ${version}`).join(', '),
        ],
      };
    case 'file':
      return {
        label: 'file',
        lines: [`${record.path}: ${record.state}, ${record.origin}, ${record.sizeBytes} bytes`, ...plainLines(record.head ?? '')],
      };
    case 'sample':
      return { label: 'sample', lines: [`${record.rssBytes} bytes, ${record.cpuSeconds} s of CPU, ${record.threads} threads`] };
    case 'stack':
      return { label: 'stack', lines: record.threads.flatMap(({ name, frames }) => [name, ...frames.map(frameLine)]) };
    default:
      return {
        label: record.kind,
        lines: [JSON.stringify({ ...record, seq: undefined, t: undefined, source: undefined, kind: undefined })],
      };
  }
}

function exceptionLines(record: EvidenceOf<'exception'>): string[] {
  return [`${record.type}: ${record.message}`, ...record.notes, ...record.frames.map(frameLine)];
}

function frameLine({ file, line, function: name, code }: Frame): string {
  return `  ${file}${line === undefined ? '' : `:${line}`}${name === undefined ? '' : ` in ${name}`}${code === undefined ? '' : `: ${code}`}`;
}

function exitLine({ code, signal, wallSeconds, endedBy }: EvidenceOf<'exit'>): string {
  const how = signal === null ? `status ${code ?? 'unknown'}` : `signal ${signal}`;
  return `${how} after ${wallSeconds.toFixed(1)} s, ended by ${endedBy}`;
}
