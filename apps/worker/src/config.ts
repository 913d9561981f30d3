import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@reenact/domain';
import { readConfiguration } from '@reenact/domain/schemas';
import type { Configuration } from '@reenact/domain';

/** Folder of the installation: where the start script lies. */
export const INSTALLATION = fileURLToPath(new URL('../../../', import.meta.url));

/** Configuration of this process. @throws AppError `config-invalid`, naming all problems and no value. */
export function loadConfiguration(): Configuration {
  const result = readConfiguration(process.env, path.join(INSTALLATION, '.reenact'));
  if (result.ok) return result.configuration;
  const problems = result.problems.map(({ name, expected }) => `${name}: ${expected}`).join('; ');
  throw new AppError('config-invalid', `The configuration has ${result.problems.length} problem(s): ${problems}.`, {
    hint: 'See `reenact config show --origin`.',
  });
}
