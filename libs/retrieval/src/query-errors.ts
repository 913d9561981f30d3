import { AppError } from '@reenact/domain';
import { readReport, rootException } from '@reenact/report';
import { maskVariables } from './query-boilerplate.js';

/** Errors that a query takes from a report; the first ones are the reported fault, the rest follows from it. */
const MOST_ERRORS = 3;
/** A message that is longer holds data, in characters. */
const LONGEST_MESSAGE = 300;

/**
 * Error texts of a report in its order, at most three: type and first line of the message of each trace's root exception, then the
 * words of programs that ended below Python, then lines of output that name an error; without numbers, addresses and folders.
 */
export function errorTexts(body: string): string[] {
  const report = readable(body);
  if (report === null) return [];
  const roots = report.exceptions.map(rootException).map(({ type, message }) => `${type}: ${message.split('\n', 1)[0] ?? ''}`);
  const native = report.nativeFailures.map(({ type, message }) => [type, message].filter(Boolean).join(': '));
  const lines = report.errorLines.map(({ text }) => text);
  const texts = [...roots, ...native, ...lines].map((text) => maskVariables(text.slice(0, LONGEST_MESSAGE)).replace(/\s+/g, ' ').trim());
  return [...new Set(texts)].filter((text) => text !== '').slice(0, MOST_ERRORS);
}

function readable(body: string): ReturnType<typeof readReport> | null {
  try {
    return readReport(Buffer.from(body));
  } catch (error) {
    // Text that is no report has no errors to tell; the words of it are searched for all the same.
    if (error instanceof AppError && error.code === 'report-unreadable') return null;
    throw error;
  }
}
