import type { Report } from '@reenact/domain';
import type { Line } from './lines.js';
import { TRACE_HEADER } from './traceback/grammar.js';

type CodeBlock = Report['codeBlocks'][number];
type Language = CodeBlock['language'];

const BY_INFO: Record<string, Language> = {
  python: 'python',
  py: 'python',
  python3: 'python',
  pycon: 'python',
  ipython: 'python',
  ipython3: 'python',
  bash: 'shell',
  sh: 'shell',
  shell: 'shell',
  console: 'shell',
  zsh: 'shell',
  powershell: 'shell',
  cmd: 'shell',
  'shell-session': 'shell',
  text: 'output',
  txt: 'output',
  log: 'output',
  output: 'output',
  plaintext: 'output',
  pytb: 'traceback',
  traceback: 'traceback',
  yaml: 'config',
  yml: 'config',
  toml: 'config',
  json: 'config',
  ini: 'config',
  cfg: 'config',
  diff: 'diff',
  patch: 'diff',
};
const PYTHON_LINE =
  /^\s*(?:import [\w.]+|from [\w.]+ import |def \w+\(|class \w+|@\w|for .{1,120} in .{1,120}:|while .{1,120}:|if .{1,120}:|with .{1,200}:|return\b|print\(|>>> |[\w.]+(?:, ?[\w.]+)* = |[\w.]+\(.{0,300}\)$)/;
const SHELL_LINE =
  /^\s*(?:[$%] |(?:sudo )?(?:python[\d.]*|torchrun|pip[\d.]*|conda|git|cd|export|mpirun|srun|accelerate|deepspeed|docker|bash|CUDA_VISIBLE_DEVICES=\S*|[A-Z_]{2,40}=\S+) )/;
const CONFIG_LINE = /^\s*(?:- )?[\w.-]{1,60}:(?: \S.{0,200})?$/;

function share(lines: readonly string[], pattern: RegExp): number {
  const filled = lines.filter((line) => line.trim() !== '');
  return filled.length === 0 ? 0 : filled.filter((line) => pattern.test(line)).length / filled.length;
}

/** Guesses what a block holds: its content outweighs a label that contradicts it. */
export function guessLanguage(info: string, lines: readonly string[]): Language {
  const sample = lines.slice(0, 200);
  if (sample.some((line) => TRACE_HEADER.test(line))) return 'traceback';
  const named = BY_INFO[/^[\w-]*/.exec(info.replace(/^\{?\.?/, ''))?.[0] ?? ''];
  if (named !== undefined && named !== 'output') return named;
  if (sample.some((line) => /^(?:diff --git |--- a\/|\+\+\+ b\/|@@ -\d)/.test(line))) return 'diff';
  if (share(sample, SHELL_LINE) >= 0.5) return 'shell';
  if (share(sample, PYTHON_LINE) >= 0.4) return 'python';
  if (named !== undefined) return named;
  if (share(sample, CONFIG_LINE) >= 0.7) return 'config';
  return sample.some((line) => line.trim() !== '') ? 'output' : 'unknown';
}

function toBlock(lines: readonly Line[]): CodeBlock {
  const texts = lines.map((line) => line.text);
  const indents = texts.filter((text) => text.trim() !== '').map((text) => /^\s*/.exec(text)?.[0].length ?? 0);
  const cut = indents.length === 0 ? 0 : indents.reduce((least, indent) => Math.min(least, indent));
  const body = texts.map((text) => text.slice(cut));
  const first = lines[0];
  const span = { start: first?.start ?? 0, end: lines.at(-1)?.end ?? 0 };
  return { span, language: guessLanguage(first?.info ?? '', body), text: body.join('\n') };
}

function sameBlock(a: Line, b: Line): boolean {
  return a.kind === b.kind && a.block === b.block;
}

/** Code blocks: fenced ones and those set off by four blanks, common indentation taken off. */
export function readCodeBlocks(lines: readonly Line[], maxItems: number): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: Line[] = [];
  let blanks: Line[] = [];
  const close = (): void => {
    if (open.some((line) => line.text.trim() !== '') && blocks.length < maxItems) blocks.push(toBlock(open));
    open = [];
    blanks = [];
  };
  for (const line of lines) {
    const last = open.at(-1);
    // A blank line does not end code that is set off by indentation.
    if (last?.kind === 'indented' && line.kind === 'blank') {
      blanks.push(line);
      continue;
    }
    if (last !== undefined && !sameBlock(last, line)) close();
    if (line.kind === 'fenced' || line.kind === 'indented') open.push(...blanks, line);
    blanks = [];
  }
  close();
  return blocks;
}
