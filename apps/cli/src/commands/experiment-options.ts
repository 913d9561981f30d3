import type { Command } from 'commander';
import { collect, positiveNumber, wholeNumber } from './command-context.js';

/** Options that `run` and `judge` share. */
export function withExperimentOptions(command: Command): Command {
  return command
    .option('--report <file>', 'the bug report, as filed')
    .option('--subject <project>', 'DIR, GIT_URL[@REV] or pip:NAME[==VERSION]')
    .option('--fixed <form>', 'what to compare against: DIR, PATCH, a revision of the git subject, or pip:NAME==VERSION')
    .option('--control-python <path>', 'interpreter of an environment in which the fault is absent')
    .option('--with <requirement>', 'a requirement of the environment, such as "torch==2.6.0"; may be repeated', collect, [] as string[])
    .option('--python <path-or-version>', 'interpreter to use as it is, or a version to build an environment with')
    .option('--no-model', 'ask no model; what needs one is skipped and said so')
    .option('--attempts <n>', 'attempts per context', wholeNumber(1, 25))
    .option('--budget-usd <amount>', 'most money for the model', positiveNumber)
    .option('--budget-tokens <n>', 'most tokens for the model', wholeNumber(1, 1_000_000_000))
    .option('--budget-minutes <n>', 'most minutes for the search', positiveNumber)
    .option('--record <dir>', 'store every model call in this folder')
    .option('--replay <dir>', 'answer model calls from such a folder; no endpoint is asked')
    .option('--detach', 'start it and leave; it goes on in the background')
    .option('--force', 'run it anew although an identical request has its verdict')
    .option('--unsandboxed', 'run the code also where the system gives no isolation');
}
