import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Elasticsearch 9 runs on Java 21 and newer. */
const OLDEST_JAVA = 21;
/** Where Debian, Fedora and others install. */
const SYSTEM_FOLDER = '/usr/lib/jvm';

/** Home of a Java that is new enough: the first named one, else the newest of the system; null where there is none. */
export function findJava(javaHomes: string[], searchPath: string): string | null {
  const named = javaHomes.find((home) => versionOf(home) >= OLDEST_JAVA);
  if (named !== undefined) return named;
  const onPath = searchPath.split(path.delimiter).map((folder) => path.join(folder, 'java'));
  const homes = onPath.filter((file) => existsSync(file)).map((file) => path.dirname(path.dirname(realpathSync(file))));
  if (existsSync(SYSTEM_FOLDER)) homes.push(...readdirSync(SYSTEM_FOLDER).map((entry) => path.join(SYSTEM_FOLDER, entry)));
  const known = homes.map((home) => ({ home, version: versionOf(home) })).filter(({ version }) => version >= OLDEST_JAVA);
  return known.sort((left, right) => right.version - left.version)[0]?.home ?? null;
}

/** Whether a Java holds a module: a smaller one leaves out what is not needed by all. */
export function holdsModule(home: string, module: string): boolean {
  return readRelease(home).includes(module);
}

function versionOf(home: string): number {
  return Number(/^JAVA_VERSION="(\d+)/m.exec(readRelease(home))?.[1] ?? 0);
}

/** What a Java tells about itself; empty where there is none. */
function readRelease(home: string): string {
  const release = path.join(home, 'release');
  return existsSync(release) && existsSync(path.join(home, 'bin', 'java')) ? readFileSync(release, 'utf8') : '';
}
