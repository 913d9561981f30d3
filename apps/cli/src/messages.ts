import { ERROR_CODES, isAppError } from '@reenact/domain';
import type { AppError } from '@reenact/domain';
import { plainLine, plainLines } from '@reenact/reporting';

const MAX_LINES = 20;

/** A known error as one screen: what and where · what to do · [code]. Texts from outside lose their control sequences. */
export function renderError(error: AppError): string {
  const [first = '', ...rest] = plainLines(error.message.trim()).slice(0, MAX_LINES);
  const lines = [`✖ ${first}  [${error.code}]`, ...rest];
  const cause = causeWords(error);
  if (cause !== null) lines.push(`  why: ${cause}`);
  if (error.hint !== undefined)
    lines.push(
      ...plainLines(error.hint)
        .slice(0, MAX_LINES)
        .map((line) => `  ${line}`),
    );
  if (ERROR_CODES[error.code] === 'bug') lines.push('  This is a fault of Reenact. Please report it with the lines above.');
  return `${lines.join('\n')}\n`;
}

/** The cause in one line, where it says something that the message does not. */
function causeWords(error: AppError): string | null {
  if (!(error.cause instanceof Error) || isAppError(error.cause)) return null;
  const words = plainLine(error.cause.message, 240);
  return words === '' || error.message.includes(words) ? null : words;
}

/** The message for an error that nobody expected; the stack lies in the file. */
export function renderUnexpected(error: unknown, reportFile: string | null): string {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const where = reportFile === null ? '' : `\n  Details: ${reportFile}`;
  return `✖ Something went wrong inside Reenact: ${plainLine(what, 600)}  [internal]${where}\n  Please report it; starting again often helps meanwhile.\n`;
}

/** The text of such a file: the chain of causes with stacks; no environment and no arguments, since those may hold secrets. */
export function crashReport(error: unknown, command: string): string {
  const parts = [`reenact ${command}`, `node ${process.version} ${process.platform} ${process.arch}`];
  for (let link = error, depth = 0; link !== undefined && link !== null && depth < 10; depth += 1) {
    parts.push(link instanceof Error ? (link.stack ?? String(link)) : String(link));
    link = (link as { cause?: unknown }).cause;
  }
  return `${parts.join('\n\n')}\n`;
}
