import path from 'node:path';
import { AppError } from '@reenact/domain';
import { INSTALLATION } from '../config.js';
import { readCaseDirectory } from './case-directory.js';
import type { ExperimentOptions, ExperimentSource } from './run-options.js';

/**
 * Brings case directory and options together; an option wins over the case's own setting.
 * @throws AppError `usage`, `case-invalid`.
 */
export async function experimentSource(
  caseDirectory: string | undefined,
  options: ExperimentOptions,
  workingDirectory: string,
): Promise<ExperimentSource> {
  const absolute = (place: string) => path.resolve(workingDirectory, place);
  const given = {
    python: options.python === undefined ? null : interpreterPath(options.python, workingDirectory),
    attempts: options.attempts ?? null,
  };
  if (caseDirectory === undefined) {
    if (options.report === undefined || options.subject === undefined) {
      throw new AppError('usage', 'Name a case directory, or both --report FILE and --subject PROJECT.', {
        hint: './reenact run examples/numpy-removed-alias',
      });
    }
    const { report, subject, fixed } = options;
    return {
      reportPath: absolute(report),
      subject,
      fixed: fixed ?? null,
      requirements: options.with,
      goodRequirements: [],
      limits: {},
      isOwnExample: false,
      ...given,
    };
  }
  const directory = absolute(caseDirectory);
  const { settings, ...found } = await readCaseDirectory(directory);
  const { wallSeconds, memoryBytes } = settings.limits ?? {};
  return {
    reportPath: options.report === undefined ? found.reportPath : absolute(options.report),
    subject: options.subject ?? found.projectPath,
    fixed: options.fixed ?? found.patchPath,
    requirements: options.with.length > 0 ? options.with : settings.with,
    goodRequirements: settings.goodWith,
    python: given.python ?? (settings.python === undefined ? null : interpreterPath(settings.python, directory)),
    limits: { ...(wallSeconds !== undefined && { wallSeconds }), ...(memoryBytes !== undefined && { memoryBytes }) },
    attempts: given.attempts ?? settings.attempts ?? null,
    isOwnExample: path.dirname(directory) === path.join(INSTALLATION, 'examples'),
  };
}

/** A path becomes absolute, since the worker has another working directory; a version such as `3.11` stays. */
export function interpreterPath(text: string, workingDirectory: string): string {
  if (text.startsWith('-') || text === '')
    throw new AppError('usage', `${JSON.stringify(text)} is no interpreter.`, {
      hint: 'Give a path such as .venv/bin/python, or a version such as 3.11.',
    });
  return text.includes('/') ? path.resolve(workingDirectory, text) : text;
}
