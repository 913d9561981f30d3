import { basename, dirname } from 'node:path';
import { collectTree } from './collect-tree.js';
import type { LayerTree } from './layer-entry.js';

const LEFT_OUT_FOLDERS = new Set([
  'dev',
  'proc',
  'run',
  'sys',
  'tmp',
  'var/backups',
  'var/cache',
  'var/lib/apt',
  'var/log',
  'var/tmp',
  'root',
]);
const LEFT_OUT_FILES = new Set(['etc/hostname', 'etc/machine-id', 'etc/resolv.conf', 'etc/mtab', 'etc/apt/sources.list', 'etc/.pwd.lock']);
/** Where a runtime mounts, or a program expects to write; empty in the image. */
const EMPTY_FOLDERS = ['dev', 'in', 'proc', 'root', 'run', 'run/lock', 'scratch', 'sys', 'tmp', 'var/cache', 'var/log', 'var/tmp'];

/** User and group of run pods, known by name: frameworks ask for the name of the user (`getpass`), and would fail without. */
export const RUN_USER = { name: 'reenact', id: 10_001 } as const;

/** The entries of the layer that a root becomes. */
export async function baseEntries(rootDirectory: string): Promise<LayerTree> {
  const tree: LayerTree = new Map();
  const isLeftOut = (inner: string): boolean =>
    LEFT_OUT_FOLDERS.has(inner) || LEFT_OUT_FILES.has(inner) || (dirname(inner) === 'etc' && basename(inner).endsWith('-'));
  await collectTree(tree, rootDirectory, { inner: '', isLeftOut });
  for (const path of EMPTY_FOLDERS) tree.set(path, { kind: 'directory', path });
  addFile(tree, 'etc/passwd', PASSWD);
  addFile(tree, 'etc/group', GROUP);
  addFile(tree, 'etc/nsswitch.conf', NAME_SERVICES);
  return tree;
}

const PASSWD = `root:x:0:0:root:/nonexistent:/usr/sbin/nologin\n${RUN_USER.name}:x:${RUN_USER.id}:${RUN_USER.id}::/scratch:/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`;
const GROUP = `root:x:0:\n${RUN_USER.name}:x:${RUN_USER.id}:\nnogroup:x:65534:\n`;
const NAME_SERVICES = 'passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n';

function addFile(tree: LayerTree, path: string, text: string): void {
  tree.set(path, { kind: 'file', path, isExecutable: false, body: { content: Buffer.from(text) } });
}
