import type { EnvironmentActivities, EnvironmentRequest } from '@reenact/domain';
import type { Report } from '@reenact/domain/schemas';

/**
 * What to ask the builder of environments for: a named interpreter as it is, or an environment built from requirements.
 * A good version is built even where an interpreter was named for the run, since that one has the version of the report; the
 * named one is then the base of the new environment.
 *
 * @param solved what report, project and command line require, and the versions the report names.
 */
export function environmentRequest(
  input: Pick<Parameters<EnvironmentActivities['buildEnvironment']>[0], 'python' | 'role'>,
  solved: { lines: string[]; asked: EnvironmentRequest['asked'] },
  report: Pick<Report, 'pythonVersions' | 'date'> | null,
): EnvironmentRequest {
  const isGiven = input.python?.includes('/') === true && (input.role === 'candidate' || solved.lines.length === 0);
  return {
    interpreter: isGiven ? input.python : null,
    pythonVersion: isGiven ? null : (input.python ?? report?.pythonVersions[0]?.version ?? null),
    anyPython: input.python === null,
    requirements: solved.lines,
    // Versions that are pinned need no cut-off; without any, the report's date says what was there.
    cutOffDate: solved.lines.some((line) => line.includes('==')) ? null : (report?.date ?? null),
    asked: [...solved.asked, ...reportedPythons(report)],
  };
}

/** The reported Pythons as series: a patch release of Python changes nothing that a report is about. */
function reportedPythons(report: Pick<Report, 'pythonVersions'> | null): EnvironmentRequest['asked'] {
  return (report?.pythonVersions ?? []).map(({ version }) => ({ name: 'python', version: version.split('.').slice(0, 2).join('.') }));
}
