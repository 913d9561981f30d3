import type { Distribution, Environment, EvidenceOf, EvidenceRecord } from '@reenact/domain';
import { AppError } from '@reenact/domain';

const MOST_NAMED = 8;

/**
 * Whether a trial ran in the environment that its verdict will name: a pod has what its image has, whoever described the image.
 *
 * @throws AppError `config-invalid`, with the packages that differ, where Python or a distribution is another one.
 */
export function assertSameEnvironment(environment: Environment, records: readonly EvidenceRecord[]): void {
  const found = records.find((record): record is EvidenceOf<'environment'> => record.kind === 'environment');
  const [asked, there] = [versionsOf(environment.distributions), versionsOf(found?.distributions ?? [])];
  const names = [...new Set([...asked.keys(), ...there.keys()])].filter((name) => asked.get(name) !== there.get(name)).sort();
  const differences = names.map((name) => `${name} ${there.get(name) ?? 'missing'} instead of ${asked.get(name) ?? 'none'}`);
  if (found?.python !== environment.pythonVersion)
    differences.unshift(`Python ${found?.python ?? 'missing'} instead of ${environment.pythonVersion}`);
  if (differences.length === 0) return;
  const rest = differences.length > MOST_NAMED ? ` and ${differences.length - MOST_NAMED} more` : '';
  throw new AppError(
    'config-invalid',
    `the image of ${environment.interpreter} holds another environment: ${differences.slice(0, MOST_NAMED).join(', ')}${rest}`,
    { hint: 'build the image anew with `reenact images build`, and name its digest in the cluster’s settings' },
  );
}

/** Names as the package index compares them (PEP 503). */
function versionsOf(distributions: readonly Distribution[]): Map<string, string> {
  return new Map(distributions.map(({ name, version }) => [name.toLowerCase().replace(/[-_.]+/g, '-'), version]));
}
