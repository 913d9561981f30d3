import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '@reenact/domain';
import type { TestBedConfiguration } from './config.js';
import { findJdk } from './find-jdk.js';

const run = promisify(execFile);
/** The node's own sources, its list of jars and their checksums; the same way from `src` and from `dist`. */
const SOURCES = path.resolve(import.meta.dirname, '..', '..', '..', 'test-bed', 'elasticsearch');
const SOURCE_FILES = ['pom.xml', 'jars.sha256', 'log4j2.properties', 'TestNode.java', 'RootModule.java'];
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:2.8:copy-dependencies';
/** The HTTP module has a class loader of its own, as in the distribution. */
const HTTP_JARS = /^(?:netty-|transport-netty4-|elasticsearch-ssl-config-)/;
const HTTP_DESCRIPTOR = 'META-INF/es-plugins/transport-netty4/plugin-descriptor.properties';

/** A node that can be started. */
export interface NodeInstallation {
  directory: string;
  jdk: string;
}

/** What this machine lacks to install the node, in words for a person; null where nothing. */
export function missingPrerequisite({ javaHomes, searchPath }: TestBedConfiguration): string | null {
  if (findJdk(javaHomes, searchPath) === null) return 'no JDK of version 21 or newer (name one in ES_JAVA_HOME)';
  const hasMaven = searchPath.split(path.delimiter).some((folder) => existsSync(path.join(folder, 'mvn')));
  return hasMaven ? null : 'no Maven (mvn) on the search path';
}

/**
 * Puts a node together in the cache, once for each state of its sources: jars by Maven, held against their pinned checksums, and
 * two small classes of ours. Made aside and renamed, so that an install that was ended is begun again, and two at once do no harm.
 * @throws AppError `search-unreachable` where a prerequisite lacks or a jar is not the pinned one.
 */
export async function installNode(configuration: TestBedConfiguration): Promise<NodeInstallation> {
  const jdk = findJdk(configuration.javaHomes, configuration.searchPath);
  const lack = missingPrerequisite(configuration);
  if (jdk === null || lack !== null) throw bedError(`The Elasticsearch test node cannot be installed: ${lack}.`);
  const directory = path.join(configuration.cacheDirectory, `elasticsearch-${await stampOfSources()}`);
  if (existsSync(directory)) return { directory, jdk };
  await mkdir(configuration.cacheDirectory, { recursive: true });
  const aside = await mkdtemp(`${directory}.new-`);
  try {
    await build(aside, jdk);
    await rename(aside, directory).catch((error: unknown) => {
      if (!existsSync(directory)) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return { directory, jdk };
}

async function build(folder: string, jdk: string): Promise<void> {
  const library = path.join(folder, 'lib');
  const http = path.join(folder, 'modules', 'transport-netty4');
  const root = path.join(folder, 'modules', 'root');
  for (const made of [library, http, root, path.join(folder, 'classes')]) await mkdir(made, { recursive: true });
  await run('mvn', ['-q', '-B', '-f', path.join(SOURCES, 'pom.xml'), COPY, `-DoutputDirectory=${library}`]).catch((error: unknown) => {
    throw bedError('Maven could not fetch the jars of the Elasticsearch test node.', error);
  });
  await checkJars(library);
  await compile({ jdk, library, source: 'TestNode.java', target: path.join(folder, 'classes') });
  const rootClasses = path.join(folder, 'root-classes');
  await compile({ jdk, library, source: 'RootModule.java', target: rootClasses });
  await run(path.join(jdk, 'bin', 'jar'), ['--create', '--file', path.join(root, 'root.jar'), '-C', rootClasses, '.']);
  await rm(rootClasses, { recursive: true });
  const version = /elasticsearch-(\d+\.\d+\.\d+)\.jar/.exec((await readdir(library)).join(' '))?.[1] ?? '';
  await writeFile(path.join(root, 'plugin-descriptor.properties'), rootDescriptor(version));
  for (const jar of (await readdir(library)).filter((name) => HTTP_JARS.test(name))) {
    await rename(path.join(library, jar), path.join(http, jar));
    if (jar.startsWith('transport-netty4-')) await extractDescriptor(jdk, http, jar);
  }
  await cp(path.join(SOURCES, 'log4j2.properties'), path.join(folder, 'log4j2.properties'));
}

async function compile(job: { jdk: string; library: string; source: string; target: string }): Promise<void> {
  const options = ['-nowarn', '-proc:none', '-cp', path.join(job.library, '*'), '-d', job.target];
  await run(path.join(job.jdk, 'bin', 'javac'), [...options, path.join(SOURCES, job.source)]);
}

/** The jar carries its descriptor; the module's name is dropped, since the server is on the class path here, not in a module layer. */
async function extractDescriptor(jdk: string, folder: string, jar: string): Promise<void> {
  await run(path.join(jdk, 'bin', 'jar'), ['--extract', '--file', jar, HTTP_DESCRIPTOR], { cwd: folder });
  const lines = (await readFile(path.join(folder, HTTP_DESCRIPTOR), 'utf8')).split('\n');
  const kept = lines.filter((line) => !line.startsWith('modulename'));
  await writeFile(path.join(folder, 'plugin-descriptor.properties'), kept.join('\n'));
  await rm(path.join(folder, 'META-INF'), { recursive: true });
}

function rootDescriptor(version: string): string {
  const entries = {
    name: 'root',
    description: 'answers GET /',
    version: '1',
    classname: 'RootModule',
    'java.version': '21',
    'elasticsearch.version': version,
  };
  return Object.entries(entries)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

async function checkJars(library: string): Promise<void> {
  const pinned = new Map<string, string>();
  for (const line of (await readFile(path.join(SOURCES, 'jars.sha256'), 'utf8')).trim().split('\n')) {
    const [digest = '', jar = ''] = line.split('  ');
    pinned.set(jar, digest);
  }
  const found = await readdir(library);
  const wrong: string[] = [...pinned.keys()].filter((jar) => !found.includes(jar));
  for (const jar of found) {
    const digest = createHash('sha256').update(await readFile(path.join(library, jar)));
    if (digest.digest('hex') !== pinned.get(jar)) wrong.push(jar);
  }
  if (wrong.length > 0) throw bedError(`Jars of the Elasticsearch test node are not the pinned ones: ${wrong.join(', ')}.`);
}

async function stampOfSources(): Promise<string> {
  const stamp = createHash('sha256');
  for (const name of SOURCE_FILES) stamp.update(await readFile(path.join(SOURCES, name)));
  return stamp.digest('hex').slice(0, 16);
}

/** An error of the test bed itself. */
export function bedError(message: string, cause?: unknown): AppError {
  return new AppError('search-unreachable', message, {
    cause,
    hint: 'See docs/elasticsearch.md, "Tests"; ES_URL points them at another node.',
  });
}
