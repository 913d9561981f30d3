import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Elasticsearch 9 runs on Java 21 and newer. */
const OLDEST_JAVA = 21;
/** Where Debian, Fedora and others install. */
const SYSTEM_FOLDER = '/usr/lib/jvm';

/** Home of a JDK with a compiler, the first named one that is new enough, else the newest of the system; null where there is none. */
export function findJdk(javaHomes: string[], searchPath: string): string | null {
  const named = javaHomes.find((home) => versionOf(home) >= OLDEST_JAVA);
  if (named !== undefined) return named;
  const onPath = searchPath.split(path.delimiter).map((folder) => path.join(folder, 'javac'));
  const homes = onPath.filter((file) => existsSync(file)).map((file) => path.dirname(path.dirname(realpathSync(file))));
  if (existsSync(SYSTEM_FOLDER)) homes.push(...readdirSync(SYSTEM_FOLDER).map((entry) => path.join(SYSTEM_FOLDER, entry)));
  const known = homes.map((home) => ({ home, version: versionOf(home) })).filter(({ version }) => version >= OLDEST_JAVA);
  return known.sort((left, right) => right.version - left.version)[0]?.home ?? null;
}

/** Major version of a JDK by its `release` file; 0 where there is none, or no compiler. */
function versionOf(home: string): number {
  const release = path.join(home, 'release');
  if (!existsSync(release) || !existsSync(path.join(home, 'bin', 'javac'))) return 0;
  return Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, 'utf8'))?.[1] ?? 0);
}
