import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@reenact/domain';
import { CaseSettings } from '@reenact/domain/schemas';
import type { CaseSettings as CaseSettingsShape } from '@reenact/domain';

/** A case as it lies on disk; paths are absolute. */
export interface CaseDirectory {
  reportPath: string;
  projectPath: string;
  /** `fix.patch`, where there is one. */
  patchPath: string | null;
  settings: CaseSettingsShape;
}

const SHAPE = 'A case has report.md, project/, and optionally fix.patch and reenact.json.';

/**
 * Reads a case directory.
 * @throws AppError `case-invalid` naming every problem at once.
 */
export async function readCaseDirectory(directory: string): Promise<CaseDirectory> {
  const at = (name: string) => path.join(directory, name);
  if ((await kindOf(directory)) !== 'directory') throw new AppError('case-invalid', `There is no folder ${directory}.`, { hint: SHAPE });
  const problems: string[] = [];
  if ((await kindOf(at('report.md'))) !== 'file') problems.push('report.md: not there');
  if ((await kindOf(at('project'))) !== 'directory') problems.push('project/: not there');
  const settings = parseCaseSettings(await readFile(at('reenact.json'), 'utf8').catch(() => '{}'));
  problems.push(...settings.problems);
  if (settings.settings === null || problems.length > 0) {
    throw new AppError(
      'case-invalid',
      `The case ${directory} has ${problems.length} problem(s):${problems.map((problem) => `\n    ${problem}`).join('')}`,
      { hint: SHAPE },
    );
  }
  const hasPatch = (await kindOf(at('fix.patch'))) === 'file';
  return {
    reportPath: at('report.md'),
    projectPath: at('project'),
    patchPath: hasPatch ? at('fix.patch') : null,
    settings: settings.settings,
  };
}

/** Reads the text of `reenact.json`; every problem is named with its place. Pure. */
export function parseCaseSettings(text: string): { settings: CaseSettingsShape | null; problems: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { settings: null, problems: [`reenact.json: not JSON (${error instanceof Error ? error.message.slice(0, 120) : 'unknown'})`] };
  }
  const parsed = CaseSettings.safeParse(value);
  if (parsed.success) return { settings: parsed.data, problems: [] };
  return {
    settings: null,
    problems: parsed.error.issues.map((issue) => `reenact.json: ${issue.path.map(String).join('.') || 'the file'}: ${issue.message}`),
  };
}

/** What lies at a path. */
export async function kindOf(place: string): Promise<'directory' | 'file' | null> {
  const found = await stat(place).catch(() => null);
  if (found === null) return null;
  return found.isDirectory() ? 'directory' : 'file';
}
