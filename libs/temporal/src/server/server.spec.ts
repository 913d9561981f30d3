import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SEARCH_ATTRIBUTE_DECLARATIONS } from '../client/search-attributes.js';
import { devServerArguments } from './dev-server-arguments.js';
import { findOnPath } from './find-executable.js';
import { isSameProcess, parseProcStat, processStartTime } from './process-identity.js';
import { compareSearchAttributes } from './search-attribute-check.js';
import { parseServerState, readServerState, writeServerState } from './server-state.js';
import type { ServerState } from './server-state.js';
import { isDatabaseSuspect, isPortTaken } from './start-server.js';
import { servesDatabase } from './stray-server.js';
import { parseTemporalVersion, resolveTemporalCli } from './temporal-cli.js';
import type { CliProbes } from './temporal-cli.js';

let scratch = '';
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'server-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

describe('resolveTemporalCli', () => {
  const search = { cliPath: undefined, searchPath: '', toolsDirectory: '/tools', pythonPath: undefined, report: () => undefined };

  /** Programs that work, by path, and what was installed. */
  function probes(working: Record<string, string>, onPath: string[] = []): CliProbes & { installed: number } {
    return {
      installed: 0,
      versionOf: async (path) => working[path] ?? null,
      findOnPath: async () => onPath,
      async install() {
        this.installed += 1;
        return '/tools/temporal';
      },
    };
  }

  it('takes an explicit path before all else, and insists on it', async () => {
    const both = probes({ '/given': '1.0', '/bin/temporal': '2.0' }, ['/bin/temporal']);
    expect(await resolveTemporalCli({ ...search, cliPath: '/given' }, both)).toEqual({ path: '/given', version: '1.0', origin: 'given' });
    await expect(resolveTemporalCli({ ...search, cliPath: '/broken' }, both)).rejects.toMatchObject({ code: 'config-invalid' });
    expect(both.installed).toBe(0);
  });

  it('takes the first program on the path that works, before the package', async () => {
    const messages: string[] = [];
    const some = probes({ '/b/temporal': '2.0' }, ['/a/temporal', '/b/temporal']);
    const cli = await resolveTemporalCli({ ...search, report: (message) => messages.push(message) }, some);
    expect(cli).toEqual({ path: '/b/temporal', version: '2.0', origin: 'path' });
    expect(messages).toHaveLength(1);
    expect(some.installed).toBe(0);
  });

  it('installs the package last', async () => {
    const none = probes({ '/tools/temporal': '3.0' });
    expect(await resolveTemporalCli(search, none)).toEqual({ path: '/tools/temporal', version: '3.0', origin: 'package' });
    expect(none.installed).toBe(1);
    await expect(resolveTemporalCli(search, probes({}))).rejects.toMatchObject({ code: 'config-invalid' });
  });

  it('reads the version of this program only', () => {
    expect(parseTemporalVersion('temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)\n')).toBe('1.9.1 (Server 1.32.0, UI 2.54.1)');
    expect(parseTemporalVersion('some other tool 1.0')).toBeNull();
  });
});

describe('findOnPath', () => {
  it('finds executable files in order and ignores relative places, folders and plain files', async () => {
    for (const name of ['a', 'b', 'c']) await mkdir(join(scratch, name));
    await writeFile(join(scratch, 'a', 'tool'), '', { mode: 0o644 });
    await mkdir(join(scratch, 'b', 'tool'));
    await writeFile(join(scratch, 'c', 'tool'), '');
    await chmod(join(scratch, 'c', 'tool'), 0o755);
    await symlink(join(scratch, 'c', 'tool'), join(scratch, 'c', 'other'));
    const places = ['a', 'b', 'c', 'absent'].map((name) => join(scratch, name));
    expect(await findOnPath(['tool', 'other'], ['.', '', ...places].join(delimiter))).toEqual([
      join(scratch, 'c', 'tool'),
      join(scratch, 'c', 'other'),
    ]);
  });
});

describe('process identity', () => {
  it('reads start ticks behind any command name, and takes a zombie for dead', () => {
    const rest = `${'0 '.repeat(18)}4711 0 0`;
    const property = fc.property(fc.string({ maxLength: 15 }), (name) => {
      expect(parseProcStat(`12 (${name}) S ${rest}`, 'boot')).toBe('boot:4711');
      expect(parseProcStat(`12 (${name}) Z ${rest}`, 'boot')).toBeNull();
    });
    fc.assert(property);
    expect(parseProcStat('', 'boot')).toBeNull();
  });

  it('tells this process from one with the same pid and another start', async () => {
    const startTime = await processStartTime(process.pid);
    if (startTime === null) throw new Error('this process has no start time');
    expect(await isSameProcess({ pid: process.pid, startTime })).toBe(true);
    expect(await isSameProcess({ pid: process.pid, startTime: `${startTime}0` })).toBe(false);
    expect(await processStartTime(0)).toBeNull();
    expect(await processStartTime(-1)).toBeNull();
  });
});

describe('servesDatabase', () => {
  it('knows a server by its database alone', () => {
    const args = (databaseFile: string) => [
      '/bin/temporal',
      ...devServerArguments({ port: 1, uiPort: 2, databaseFile, namespace: 'n', canDisableNews: false }),
    ];
    expect(servesDatabase(args('/a/t.db'), '/a/t.db')).toBe(true);
    expect(servesDatabase(args('/b/t.db'), '/a/t.db')).toBe(false);
    expect(servesDatabase(['/bin/cat', '--db-filename', '/a/t.db'], '/a/t.db')).toBe(false);
    expect(servesDatabase([], '/a/t.db')).toBe(false);
  });
});

describe('server state', () => {
  const state: ServerState = {
    schemaVersion: 1,
    process: { pid: 7, startTime: 'b:1' },
    port: 1234,
    uiPort: 2234,
    binaryVersion: '1',
    binaryPath: '/t',
  };

  it('reads back what was written', async () => {
    const file = join(scratch, 'server.json');
    expect(await readServerState(file)).toBeNull();
    for (const value of [state, { ...state, process: null }]) {
      await writeServerState(file, value);
      expect(await readServerState(file)).toEqual(value);
    }
  });

  it('takes anything else for absent', () => {
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{}',
      JSON.stringify({ ...state, port: 0 }),
      JSON.stringify({ ...state, process: { pid: '7' } }),
    ]) {
      expect(parseServerState(text)).toBeNull();
    }
    fc.assert(fc.property(fc.string(), (text) => parseServerState(text) === null));
    expect(parseServerState(JSON.stringify({ ...state, schemaVersion: 2 }))).toBeNull();
  });
});

describe('devServerArguments', () => {
  it('binds to loopback, keeps the database in WAL mode and registers every search attribute', () => {
    const args = devServerArguments({ port: 1, uiPort: 2, databaseFile: '/state/t.db', namespace: 'default', canDisableNews: false });
    expect(args.slice(0, 4)).toEqual(['server', 'start-dev', '--ip', '127.0.0.1']);
    expect(args).toContain('journal_mode=WAL');
    expect(args.filter((arg) => arg === '--search-attribute')).toHaveLength(SEARCH_ATTRIBUTE_DECLARATIONS.length);
    expect(args).toContain('CostUsd=Double');
    expect(args).not.toContain('--ui-disable-news-fetch');
  });
});

describe('compareSearchAttributes', () => {
  it('names what is missing and what has another type', () => {
    const check = compareSearchAttributes({ BugKey: 2, Repository: 1, ContextIndex: 3, Foreign: 9 });
    expect(check.missing).toContain('NeedsHuman=Bool');
    expect(check.missing).not.toContain('BugKey=Keyword');
    expect(check.mistyped).toEqual(['Repository']);
  });
});

describe('a start that failed', () => {
  it('suspects the database only when the words name nothing else', () => {
    expect(isPortTaken("can't set frontend port 1: listen tcp 127.0.0.1:1: bind: address already in use")).toBe(true);
    expect(isDatabaseSuspect('unable to create SQLite admin DB: file is not a database (26)')).toBe(true);
    for (const log of ['address already in use', 'database is locked (5)', 'write: no space left on device', 'unknown flag: --x']) {
      expect(isDatabaseSuspect(log)).toBe(false);
    }
  });
});
