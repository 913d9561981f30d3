import { Report } from '@reenact/domain/schemas';
import type { Environment, EnvironmentActivities } from '@reenact/domain';
import { importedModules, solveRequirements } from '@reenact/environment';
import { withHeartbeat } from '@reenact/temporal/worker';
import type { Dependencies } from '../dependencies.js';
import { environmentRequest } from '../environment-request.js';
import { getJson, putJson } from '../json-artifacts.js';

/** Environments: what report and project ask for, solved and built, or an interpreter as it is. */
export function createEnvironmentActivities(deps: Dependencies): EnvironmentActivities {
  return {
    async buildEnvironment(input) {
      const report = input.report === null ? null : await getJson(deps.artifacts, input.report, Report);
      const tree = input.treeHash === null ? null : await deps.trees.pathOf(input.treeHash);
      const imports = tree === null || input.role === 'good' ? [] : await importedModules(tree, STANDARD_LIBRARY);
      const solved = await solveRequirements({ given: input.requirements, report, tree: input.role === 'good' ? null : tree, imports });
      const environment = await withHeartbeat(({ signal, note }) =>
        deps.environments.build(environmentRequest(input, solved, report), { signal, onProgress: note }),
      );
      return { environment: await putJson(deps.artifacts, environment), id: environment.id, summary: describe(environment) };
    },
  };
}

function describe(environment: Environment): string {
  const main = environment.distributions.filter(({ name }) => MAIN.has(name)).map(({ name, version }) => `${name} ${version}`);
  const far = environment.distance.map(({ name, asked, got }) => `${name} ${asked} asked, ${got ?? 'none'} there`);
  const distance = far.length === 0 ? '' : ` (${far.join('; ')})`;
  return `Python ${environment.pythonVersion}${main.length === 0 ? '' : ` with ${main.join(', ')}`}, ${environment.source}${distance}`;
}

const MAIN: ReadonlySet<string> = new Set([
  'torch',
  'tensorflow',
  'tensorflow-cpu',
  'jax',
  'keras',
  'numpy',
  'scikit-learn',
  'transformers',
  'lightning',
]);

/** Top-level names that are never looked up; a name too few costs one look into the list of known distributions. */
const STANDARD_LIBRARY: ReadonlySet<string> = new Set(
  (
    '__future__ abc argparse array ast asyncio atexit base64 bisect builtins bz2 calendar cmath codecs collections concurrent configparser contextlib contextvars copy copyreg csv ctypes ' +
    'dataclasses datetime decimal difflib dis email enum errno faulthandler fcntl filecmp fnmatch fractions functools gc getopt getpass glob gzip hashlib heapq hmac html http importlib ' +
    'inspect io ipaddress itertools json keyword linecache locale logging lzma math mimetypes mmap multiprocessing numbers operator os pathlib pdb pickle pkgutil platform pprint profile ' +
    'queue random re readline resource runpy sched secrets select shelve shlex shutil signal site socket sqlite3 ssl stat statistics string struct subprocess sys sysconfig syslog tarfile ' +
    'tempfile textwrap threading time timeit token tokenize tomllib traceback types typing unicodedata unittest urllib uuid venv warnings weakref xml zipfile zlib zoneinfo'
  ).split(' '),
);
