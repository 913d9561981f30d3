import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface DebianPackage {
  name: string;
  version: string;
  architecture: string;
}

/** The installed packages of a Debian root, by name; none where `dpkg` keeps no record there. */
export async function installedPackages(rootDirectory: string): Promise<DebianPackage[]> {
  const status = await readFile(join(rootDirectory, 'var/lib/dpkg/status'), 'utf8').catch(() => '');
  return status
    .split('\n\n')
    .map(fieldsOf)
    .filter((fields) => fields.get('Status') === 'install ok installed')
    .map((fields) => ({
      name: fields.get('Package') ?? '',
      version: fields.get('Version') ?? '',
      architecture: fields.get('Architecture') ?? '',
    }))
    .sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
}

/** Fields of one paragraph (Debian Policy 5.1); lines that go on are left out. */
function fieldsOf(paragraph: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of paragraph.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0 && !line.startsWith(' ')) fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  return fields;
}

/** Packages of this machine that own any of these paths, which are absolute; none on a system without `dpkg`. */
export async function owningPackages(paths: ReadonlySet<string>): Promise<DebianPackage[]> {
  const folder = '/var/lib/dpkg/info';
  const lists = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.list'));
  const owners = new Set<string>();
  for (const list of lists) {
    const owned = await readFile(join(folder, list), 'utf8').catch(() => '');
    const owns = owned.split('\n').some((path) => paths.has(path) || paths.has(`/usr${path}`));
    if (owns) owners.add(list.slice(0, -'.list'.length).split(':')[0] ?? '');
  }
  return (await installedPackages('/')).filter(({ name }) => owners.has(name));
}
