import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { AppError } from '@reenact/domain';

/** What an interpreter says about itself. Standard library only, Python 3.6 or newer; isolated, so that no code of a project runs. */
const ASK = `
import json, platform, sys
try:
    from importlib.metadata import distributions
    found = {(d.metadata["Name"] or "").strip(): d.version for d in distributions()}
except ImportError:
    import pkg_resources
    found = {d.project_name: d.version for d in pkg_resources.working_set}
print(json.dumps({
    "executable": sys.executable,
    "version": platform.python_version(),
    "implementation": sys.implementation.name,
    "platform": sys.platform + "-" + platform.machine(),
    "folders": [p for p in sys.path if p],
    "distributions": [{"name": n.lower().replace("_", "-"), "version": v or ""} for n, v in sorted(found.items()) if n],
}))
`;

const Answer = z.object({
  executable: z.string(),
  version: z.string(),
  implementation: z.string(),
  platform: z.string(),
  /** Its import path: what is installed lies there. */
  folders: z.array(z.string()),
  distributions: z.array(z.object({ name: z.string(), version: z.string() })),
});

export type InterpreterFacts = z.infer<typeof Answer>;

interface Remembered {
  facts: InterpreterFacts;
  stamp: string;
}

const known = new Map<string, Remembered>();

/**
 * Asks an interpreter what it is and what is installed beside it. Asked again only when the interpreter or a folder of its
 * import path has changed: installing or removing a distribution always does that.
 *
 * @throws AppError `interpreter-not-found` when it does not start.
 */
export async function describeInterpreter(interpreter: string): Promise<InterpreterFacts> {
  const before = known.get(interpreter);
  if (before !== undefined && before.stamp === (await stampOf(interpreter, before.facts.folders))) return before.facts;
  const facts = await askInterpreter(interpreter);
  known.set(interpreter, { facts, stamp: await stampOf(interpreter, facts.folders) });
  return facts;
}

async function stampOf(interpreter: string, folders: readonly string[]): Promise<string> {
  const times = await Promise.all(
    [interpreter, ...folders].map((file) =>
      stat(file).then(
        (found) => found.mtimeMs,
        () => 0,
      ),
    ),
  );
  return times.join(' ');
}

async function askInterpreter(interpreter: string): Promise<InterpreterFacts> {
  const done = await execa(interpreter, ['-I', '-c', ASK], { reject: false, stdin: 'ignore', timeout: 60_000 });
  if (done.failed) {
    throw new AppError('interpreter-not-found', `The interpreter does not start: ${interpreter}.`, {
      hint: 'Name a Python 3.7 or newer with --python PATH, or a version such as --python 3.11.',
      cause: done,
    });
  }
  return Answer.parse(JSON.parse(String(done.stdout)));
}

/** An absolute path for `--python`: a path as given, or a version looked up as `pythonX.Y` on PATH; null when there is none. */
export async function findInterpreter(asked: string, searchPath: string): Promise<string | null> {
  if (asked.includes('/')) return path.resolve(asked);
  const names = /^\d/.test(asked) ? [`python${asked.split('.').slice(0, 2).join('.')}`] : [asked];
  for (const directory of searchPath.split(path.delimiter)) {
    for (const name of names) {
      const candidate = path.join(directory, name);
      if (directory !== '' && (await isExecutable(candidate)) && (await answers(candidate))) return candidate;
    }
  }
  return null;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Version managers put shims on PATH that exist but do not start. */
async function answers(candidate: string): Promise<boolean> {
  const done = await execa(candidate, ['-I', '-c', ''], { reject: false, stdin: 'ignore', timeout: 20_000 });
  return !done.failed;
}
