import type { Environment } from '@reenact/domain';
import path from 'node:path';

/**
 * Folders that may hold the packages of an environment, by the layouts of `sysconfig` (a virtual environment or an installation on
 * POSIX, Debian's own two, Windows); not all of them exist. Nothing is run.
 */
export function packageFolders({ interpreter, pythonVersion }: Pick<Environment, 'interpreter' | 'pythonVersion'>): string[] {
  const [major = '3', minor = '0'] = pythonVersion.split('.');
  const prefix = path.dirname(path.dirname(interpreter));
  const python = `python${major}.${minor}`;
  return [
    path.join(prefix, 'lib', python, 'site-packages'),
    path.join(prefix, 'local', 'lib', python, 'dist-packages'),
    path.join(prefix, 'lib', `python${major}`, 'dist-packages'),
    path.join(prefix, 'Lib', 'site-packages'),
  ];
}
