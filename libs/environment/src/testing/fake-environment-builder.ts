import { contentId } from '@reenact/domain';
import type { EnvironmentBuilder } from '@reenact/domain';

/** Builder that installs nothing and answers with the versions asked for. */
export function createFakeEnvironmentBuilder(): EnvironmentBuilder {
  return {
    async build(request) {
      const distributions = request.requirements.map((line) => {
        const [name = line, version = '1.0.0'] = line.split('==');
        return { name, version };
      });
      return {
        schemaVersion: 1,
        id: contentId({ distributions, python: request.interpreter ?? request.pythonVersion }),
        interpreter: request.interpreter ?? 'python3',
        pythonVersion: request.pythonVersion ?? '3.11.0',
        implementation: 'cpython',
        platform: 'linux-x86_64',
        distributions,
        source: request.interpreter === null ? 'built' : 'given',
        lock: distributions.map(({ name, version }) => `${name}==${version}`).join('\n'),
        distance: [],
        cutOffDate: request.cutOffDate,
      };
    },
  };
}
