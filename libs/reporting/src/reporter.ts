import type { RunEvent, Verdict } from '@reenact/domain';
import { renderTerminalEvent, renderTerminalVerdict } from './render-terminal.js';
import type { TerminalOptions, VerdictLinks } from './render-terminal.js';

/** What every reporter is told: each line of the story as it comes, and the verdict once. */
export interface Reporter {
  event(event: RunEvent): void;
  verdict(verdict: Verdict, links: VerdictLinks): void;
}

/** Where a reporter writes: data goes to standard output, talk to standard error. */
export interface ReporterOutput {
  data: (text: string) => void;
  talk: (text: string) => void;
}

/** Plain or coloured lines for people; the verdict is the data. */
export function createTerminalReporter(output: ReporterOutput, options: TerminalOptions): Reporter {
  let since: number | null = null;
  return {
    event(event) {
      since ??= Date.parse(event.at);
      output.talk(`${renderTerminalEvent(event, since, options)}\n`);
    },
    verdict(verdict, links) {
      output.data(`\n${renderTerminalVerdict(verdict, links, options)}\n`);
    },
  };
}

/** Exactly one object on standard output, the verdict; the story goes to standard error as JSON lines where it is wanted. */
export function createJsonReporter(output: ReporterOutput, options: { events: boolean }): Reporter {
  return {
    event(event) {
      if (options.events) output.talk(`${JSON.stringify(event)}\n`);
    },
    verdict(verdict) {
      output.data(`${JSON.stringify(verdict, null, 2)}\n`);
    },
  };
}
