import type { Candidate, LaunchStep, ScriptFile } from '@reenact/domain';
import { isIdentifier, knownImport } from './known-imports.js';
import { buildCandidate } from './launch-building.js';
import { removeCuda, removeDisplayCalls, removeMagics, normaliseIndentation, stripPrompts } from './snippet-text.js';
import type { SubjectTree } from './subject-tree.js';
import { isInnerPath, nearestFile } from './subject-tree.js';
import type { EvidenceSummary } from '../evidence-summary.js';

interface Change {
  files?: ScriptFile[];
  steps?: LaunchStep[];
  repair: string;
}

type Rule = (candidate: Candidate, evidence: EvidenceSummary, tree: SubjectTree) => Change | null;

const RULES: Rule[] = [addImport, correctSyntax, useProjectFile, withoutDisplay, withoutCuda];
/** A candidate that was mended this often is given up; each repair is one new attempt. */
const MAX_REPAIRS = 6;

/**
 * One deterministic repair of a candidate whose own script failed before it got to the subject: a missing import, prompts
 * or magics, a file that lies elsewhere in the project, display calls, CUDA on a machine without it. Gives a new candidate
 * with the repair recorded, or null where no rule fits. The project's files are never changed, only report scripts and words.
 */
export function repairCandidate(candidate: Candidate, evidence: EvidenceSummary, tree: SubjectTree): Candidate | null {
  if (candidate.origin === 'given' || candidate.repairs.length >= MAX_REPAIRS) return null;
  for (const rule of RULES) {
    const change = rule(candidate, evidence, tree);
    if (change === null || candidate.repairs.includes(change.repair)) continue;
    const launch = change.steps ? { ...candidate.launch, steps: change.steps } : candidate.launch;
    const mended = buildCandidate({
      origin: candidate.origin,
      files: change.files ?? candidate.files,
      launch,
      source: candidate.source,
      repairs: [...candidate.repairs, change.repair],
    });
    if (mended.id !== candidate.id) return mended;
  }
  return null;
}

/** `NameError: name 'np' is not defined` in the script: the import that the name commonly stands for, or a module of the project. */
function addImport(candidate: Candidate, evidence: EvidenceSummary, tree: SubjectTree): Change | null {
  const error = evidence.exceptions.find(({ type, raisedIn }) => /(?:^|\.)NameError$/.test(type) && raisedIn === 'script');
  const name = /^name '(\w{1,80})' is not defined/.exec(error?.message ?? '')?.[1];
  if (name === undefined || candidate.files.length === 0) return null;
  const line = knownImport(name) ?? projectImport(name, tree);
  if (line === null) return null;
  return { files: mapEntry(candidate, (text) => insertImport(text, line)), repair: `added \`${line}\`` };
}

/** Where exactly one top-level definition of the project has the name, it is imported from there. */
function projectImport(name: string, tree: SubjectTree): string | null {
  if (!isIdentifier(name)) return null;
  const defines = new RegExp(`^(?:class|def|async def)\\s+${name}\\b|^${name}\\s*=`, 'm');
  const files = tree.files.filter((file) => /^(?:src\/)?[\w/]+\.py$/.test(file) && defines.test(tree.read(file) ?? ''));
  const [file] = files;
  if (file === undefined || files.length > 1) {
    return tree.has(`${name}.py`) || tree.has(`src/${name}.py`) || tree.has(`${name}/__init__.py`) ? `import ${name}` : null;
  }
  const module = file
    .replace(/^src\//, '')
    .replace(/(?:\/__init__)?\.py$/, '')
    .replaceAll('/', '.');
  return `from ${module} import ${name}`;
}

function insertImport(text: string, line: string): string {
  const lines = text.split('\n');
  const future = lines.findLastIndex((existing) => existing.startsWith('from __future__'));
  lines.splice(future + 1, 0, line);
  return lines.join('\n');
}

/** Prompts, magics and indentation, after the interpreter refused the text of the script. */
function correctSyntax(candidate: Candidate, evidence: EvidenceSummary): Change | null {
  const text = [...evidence.stderrTail, ...evidence.exceptions.map(({ type }) => type)].join('\n');
  if (!/\b(?:SyntaxError|IndentationError|TabError)\b/.test(text) || candidate.files.length === 0) return null;
  for (const mend of [stripPrompts, removeMagics, normaliseIndentation]) {
    const files = mapEntry(candidate, (source) => mend(source).text);
    if (files.some((file, index) => file.text !== candidate.files[index]!.text))
      return { files, repair: mend(entryText(candidate)).repairs.join(', ') };
  }
  return null;
}

/** A file that the run did not find while the project has exactly one of that name: the words point to it. */
function useProjectFile(candidate: Candidate, evidence: EvidenceSummary, tree: SubjectTree): Change | null {
  const error = evidence.exceptions.find(({ type }) => /(?:^|\.)(?:FileNotFoundError|OSError)$/.test(type));
  const missing = /No such file or directory: '([^'\n]{1,300})'/.exec(error?.message ?? '')?.[1];
  if (missing === undefined) return null;
  const near = nearestFile(tree, missing);
  if (near === null || near === missing || !isInnerPath(near)) return null;
  const repair = `\`${missing}\` is \`${near}\` in the project`;
  if (candidate.launch.steps.some(({ argv }) => argv.includes(missing))) {
    return {
      steps: candidate.launch.steps.map((step) => ({ ...step, argv: step.argv.map((word) => (word === missing ? near : word)) })),
      repair,
    };
  }
  if (!candidate.files.some(({ text }) => text.includes(missing))) return null;
  return { files: candidate.files.map((file) => ({ ...file, text: file.text.replaceAll(missing, near) })), repair };
}

function withoutDisplay(candidate: Candidate, evidence: EvidenceSummary): Change | null {
  const text = [...evidence.stderrTail, ...evidence.exceptions.map(({ type, message }) => `${type} ${message}`)].join('\n');
  if (!/no display|\$DISPLAY|cannot connect to display|could not connect to display|EOFError|TclError|qt\.qpa/i.test(text)) return null;
  const files = mapEntry(candidate, (source) => removeDisplayCalls(source).text);
  return { files, repair: 'removed display calls' };
}

function withoutCuda(candidate: Candidate, evidence: EvidenceSummary): Change | null {
  const text = [...evidence.stderrTail, ...evidence.exceptions.map(({ type, message }) => `${type} ${message}`)].join('\n');
  if (
    !/Torch not compiled with CUDA enabled|No CUDA GPUs are available|Found no NVIDIA driver|CUDA driver initialization failed|Attempting to deserialize object on a CUDA device/i.test(
      text,
    )
  )
    return null;
  const files = mapEntry(candidate, (source) => removeCuda(source).text);
  return { files, repair: removeCuda(entryText(candidate)).repairs[0] ?? 'CUDA calls became CPU: there is no such device here' };
}

function entryText(candidate: Candidate): string {
  return candidate.files[0]?.text ?? '';
}

function mapEntry(candidate: Candidate, change: (text: string) => string): ScriptFile[] {
  return candidate.files.map((file, index) => (index === 0 ? { ...file, text: change(file.text) } : file));
}
