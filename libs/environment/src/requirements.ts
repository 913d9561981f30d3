import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '@reenact/domain';

/** Import names of well-known distributions; nothing else that a project imports is ever installed (no invented names). */
const KNOWN_IMPORTS: Record<string, string> = {
  torch: 'torch',
  torchvision: 'torchvision',
  torchaudio: 'torchaudio',
  tensorflow: 'tensorflow-cpu',
  keras: 'keras',
  jax: 'jax',
  flax: 'flax',
  optax: 'optax',
  numpy: 'numpy',
  scipy: 'scipy',
  pandas: 'pandas',
  sklearn: 'scikit-learn',
  matplotlib: 'matplotlib',
  PIL: 'pillow',
  cv2: 'opencv-python-headless',
  yaml: 'pyyaml',
  tqdm: 'tqdm',
  transformers: 'transformers',
  datasets: 'datasets',
  accelerate: 'accelerate',
  lightning: 'lightning',
  pytorch_lightning: 'pytorch-lightning',
  timm: 'timm',
  einops: 'einops',
  h5py: 'h5py',
  networkx: 'networkx',
  tensorboard: 'tensorboard',
  ignite: 'pytorch-ignite',
  torchmetrics: 'torchmetrics',
  gym: 'gym',
  gymnasium: 'gymnasium',
};

/** How report names for distributions are spelled by the package index. */
const ALIASES: Record<string, string> = {
  pytorch: 'torch',
  tf: 'tensorflow-cpu',
  tensorflow: 'tensorflow-cpu',
  sklearn: 'scikit-learn',
  'scikit learn': 'scikit-learn',
  opencv: 'opencv-python-headless',
};

const KNOWN = new Set(Object.values(KNOWN_IMPORTS));

export interface SolvedRequirements {
  /** Requirement lines, most trusted source first; one line per distribution. */
  lines: string[];
  /** What the report names as used, for the distance. */
  asked: { name: string; version: string }[];
  /** Imports that are neither the project's own, nor the standard library's, nor known. */
  unknown: string[];
}

/**
 * Requirements of a run: what was given by hand, then versions of the report, then the project's own requirement files, then
 * the well-known imports of its files. An earlier source wins.
 */
export async function solveRequirements(input: {
  given: string[];
  report: Report | null;
  tree: string | null;
  imports: string[];
}): Promise<SolvedRequirements> {
  const lines = new Map<string, string>();
  const add = (line: string): void => {
    const name = requirementName(line);
    if (name !== null && !lines.has(name)) lines.set(name, line);
  };
  for (const line of input.given) add(line);
  const asked = reportedPackages(input.report);
  for (const { name, version } of asked) add(exactRequirement(name, version));
  if (input.tree !== null) for (const line of await projectRequirements(input.tree)) add(line);
  const unknown: string[] = [];
  for (const name of input.imports) {
    const distribution = KNOWN_IMPORTS[name];
    if (distribution === undefined) unknown.push(name);
    else add(distribution);
  }
  return { lines: [...lines.values()], asked, unknown };
}

/**
 * Distributions that the report names as used, in its order. The first version of each is the one to install, since reports put the
 * failing one first; any of them meets the report.
 */
function reportedPackages(report: Report | null): { name: string; version: string }[] {
  return (report?.packages ?? [])
    .map(({ name, version, role }) => ({ name: canonicalName(name), version, role }))
    .filter(({ name, version, role }) => role === 'used' && KNOWN.has(name) && /^\d/.test(version))
    .map(({ name, version }) => ({ name, version }));
}

function canonicalName(name: string): string {
  const plain = name.toLowerCase().replace(/[-_.]+/g, '-');
  return ALIASES[plain] ?? plain;
}

/** `2.6` and `2.x` name a series, `2.6.0` names a version; local labels such as `+cu121` are dropped. */
function exactRequirement(name: string, version: string): string {
  const plain = version.split('+')[0] ?? version;
  const series = /^(\d+(?:\.\d+)?)(?:\.[x*])?$/.exec(plain);
  if (series !== null) return `${name}==${series[1]}.*`;
  return /^\d+(\.\d+)+([a-z]+\d*)?$/.test(plain) ? `${name}==${plain}` : name;
}

function requirementName(line: string): string | null {
  const match = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)/.exec(line);
  return match?.[1] === undefined ? null : canonicalName(match[1]);
}

/** Plain requirement lines of the project; options, links and paths are left out, since they could name a place of their own. */
async function projectRequirements(tree: string): Promise<string[]> {
  const text = await readFile(path.join(tree, 'requirements.txt'), 'utf8').catch(() => '');
  const plain = /^[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9,._-]*\])?\s*([<>=!~]=?[^;#@]*)?(;[^#]*)?$/;
  return text
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => plain.test(line));
}
