import type { Report } from '@reenact/domain';
import { createHash } from 'node:crypto';
import { readCodeBlocks } from './code-blocks.js';
import { decodeReport } from './decode.js';
import { readErrorLines, readInlineErrors } from './error-lines.js';
import { readCommands } from './facts/commands.js';
import { readFrequency } from './facts/frequency.js';
import { readNumbers } from './facts/numbers.js';
import { readPackages } from './facts/packages.js';
import { readDate, readFiles, readLinks, readSeeds, readSymbols } from './facts/references.js';
import { readBackend, readDevices, readOperatingSystem, readPythonVersions, readWorldSize } from './facts/system.js';
import { DEFAULT_REPORT_LIMITS } from './limits.js';
import type { ReportLimits } from './limits.js';
import { readLines } from './lines.js';
import type { Line } from './lines.js';
import { missingFacts } from './missing.js';
import { readSentences, readTitle } from './prose/sentences.js';
import { withVersionContrasts } from './prose/version-contrast.js';
import { readNativeEnds } from './traceback/read-native-ends.js';
import { readTracebacks } from './traceback/read-tracebacks.js';
import { readWarnings } from './warnings.js';

/** A report that is nothing but a trace is titled by its error. */
function titleOf(lines: readonly Line[], consumed: ReadonlySet<number>, exceptions: Report['exceptions']): string {
  const { title } = readTitle(lines, consumed);
  const first = exceptions[0];
  if (title !== '' || first === undefined) return title;
  return `${first.type}: ${first.message.split('\n', 1)[0] ?? ''}`.slice(0, 300);
}

/**
 * Reads a bug report by rules alone: pure, no model, time linear in the limits. Every fact has the span of the text
 * that it was read from (UTF-16 offsets into `text`).
 *
 * @throws AppError `report-unreadable` when the bytes are no text.
 */
export function readReport(bytes: Uint8Array, limits: ReportLimits = DEFAULT_REPORT_LIMITS): Report {
  const { text, truncated } = decodeReport(bytes, limits);
  const max = limits.maxItems;
  const lines = readLines(text);
  const { exceptions, consumed: traced } = readTracebacks(lines, max);
  const { failures: nativeFailures, consumed: dumped } = readNativeEnds(lines, max);
  const consumed = new Set([...traced, ...dumped]);
  const packages = readPackages(text, lines, max);
  const sentences = withVersionContrasts(readSentences(text, lines, consumed, max), packages);
  const lineErrors = readErrorLines(lines, traced, max);
  const inline = readInlineErrors(text, sentences, max).filter(
    (entry) => !lineErrors.some((line) => line.span.start <= entry.span.start && entry.span.end <= line.span.end),
  );
  const errorLines = [...lineErrors, ...inline].slice(0, max).sort((a, b) => a.span.start - b.span.start);
  const links = readLinks(text, max);
  const facts = {
    sentences,
    exceptions,
    nativeFailures,
    errorLines,
    codeBlocks: readCodeBlocks(lines, max),
    commands: readCommands(lines, consumed, max),
    packages,
    pythonVersions: readPythonVersions(text, max),
    devices: readDevices(text, max),
    operatingSystem: readOperatingSystem(text),
    files: readFiles(text, links, max),
  };
  return {
    schemaVersion: 1,
    digest: createHash('sha256').update(bytes).digest('hex'),
    title: titleOf(lines, consumed, exceptions),
    text,
    truncated,
    date: readDate(text),
    ...facts,
    warnings: readWarnings(lines, consumed, max),
    worldSize: readWorldSize(text),
    backend: readBackend(text),
    numbers: readNumbers(
      text,
      [...facts.packages, ...facts.pythonVersions].map((entry) => entry.span),
      max,
    ),
    frequency: readFrequency(text, sentences),
    seeds: readSeeds(text, max),
    links,
    symbols: readSymbols(text, max),
    missing: missingFacts(facts),
  };
}
