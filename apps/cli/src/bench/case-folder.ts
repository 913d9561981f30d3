import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '@reenact/domain';

/** What the bench needs of a case's `truth.json`; everything else in it is for people. */
const Truth = z.object({
  id: z.string(),
  oracle: z.object({
    reproduced_if_all: z.array(z.unknown()).min(1),
    absent_if_all: z.array(z.unknown()).default([]),
    /** The symptom by its oracle kinds; what the checks above say of the output alone is then for `check_cases.py`. */
    facets: z.array(z.unknown()).min(1).optional(),
  }),
  versions: z.object({ expected: z.record(z.string(), z.enum(['buggy', 'fixed'])) }),
  flaky: z.object({ unit: z.string(), p_measured: z.number() }).nullish(),
});
export type Truth = z.infer<typeof Truth>;

export type ScriptKind = 'reference' | 'trap' | 'cheat' | 'honest';

export interface CaseScript {
  name: string;
  kind: ScriptKind;
  text: string;
  /** Text of the oracle of the `case` column; null = the script has none there. */
  oracle: string | null;
}

export interface CaseFolder {
  id: string;
  directory: string;
  report: Uint8Array;
  projectDirectory: string;
  /** Text of `fix.patch`; null where the fix is a version. */
  patch: string | null;
  truth: Truth;
  scripts: CaseScript[];
}

/** Reads every case folder below a directory: those that hold a `truth.json`, in order of their names. */
export async function readCases(directory: string): Promise<CaseFolder[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => {
    throw new AppError('case-invalid', `There is no folder ${directory}.`, { hint: 'Name a folder of cases with --cases DIR.' });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const cases = await Promise.all(names.sort().map((name) => readCase(path.join(directory, name))));
  const found = cases.filter((one) => one !== null);
  if (found.length === 0)
    throw new AppError('case-invalid', `No folder below ${directory} holds a truth.json.`, {
      hint: 'A case has report.md, project/, truth.json and reference_repro.py.',
    });
  return found;
}

async function readCase(directory: string): Promise<CaseFolder | null> {
  const truthText = await readFile(path.join(directory, 'truth.json'), 'utf8').catch(() => null);
  if (truthText === null) return null;
  const parsed = Truth.safeParse(JSON.parse(truthText));
  if (!parsed.success) {
    throw new AppError(
      'case-invalid',
      `${path.join(directory, 'truth.json')}: ${parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`,
    );
  }
  return {
    id: parsed.data.id,
    directory,
    report: await readFile(path.join(directory, 'report.md')),
    projectDirectory: path.join(directory, 'project'),
    patch: await readFile(path.join(directory, 'fix.patch'), 'utf8').catch(() => null),
    truth: parsed.data,
    scripts: await readScripts(directory, parsed.data),
  };
}

async function readScripts(directory: string, truth: Truth): Promise<CaseScript[]> {
  const names = (await readdir(directory)).filter((name) => kindOf(name) !== null).sort();
  return Promise.all(
    names.map(async (name) => {
      const beside = await readFile(path.join(directory, `${name.replace(/\.py$/, '')}.oracle.json`), 'utf8').catch(() => null);
      const full = await readFile(path.join(directory, `${name}.oracle.json`), 'utf8').catch(() => beside);
      const kind = kindOf(name) ?? 'trap';
      const oracle = kind === 'reference' ? JSON.stringify(truth.oracle) : full;
      return { name, kind, text: await readFile(path.join(directory, name), 'utf8'), oracle };
    }),
  );
}

function kindOf(name: string): ScriptKind | null {
  if (name === 'reference_repro.py') return 'reference';
  if (name === 'non_repro.py' || /^trap_.*\.py$/.test(name)) return 'trap';
  if (/^cheat_.*\.py$/.test(name)) return 'cheat';
  return /^honest_.*\.py$/.test(name) ? 'honest' : null;
}
