import type { Report } from '@reenact/domain';
import type { Line } from '../lines.js';
import { findAll, uniqueBy } from '../scan.js';
import { shellWords } from './shell-words.js';

type Command = Report['commands'][number];

const PROMPT = /^\s{0,12}(?:(?:\([\w.-]{1,40}\) )?(?:[\w.-]{1,40}@[\w.-]{1,60}:?[^\s$#]{0,80})?[$%#] |C:\\[^>\n]{0,80}> ?|> (?=python))/;
const LIST_MARK = /^\s{0,12}(?:[-*+]|\d{1,3}[.)])\s+/;
const ASSIGNMENTS = /^(?:[A-Za-z_]\w{0,60}=(?:"[^"]{0,200}"|'[^']{0,200}'|[^\s"']{0,200}) +){0,20}/;
const PROGRAM =
  /^(?:sudo |time |nohup |exec |env )?(?:(?:\.{0,2}\/|~\/)?(?:[\w.-]{1,60}\/){0,10})?(?:python[\d.]{0,5}|py|torchrun|ipython|pytest|accelerate|deepspeed|mpirun|mpiexec|srun|horovodrun|uv|poetry|pip[\d.]{0,4}|conda|mamba|git|cd|bash|sh|make|docker|export|wget|curl|unzip|tar|cp|mv|mkdir|rm|set|source|nvidia-smi|colossalai|composer|ray|lightning|xvfb-run|CUDA_\w+)(?:\.exe)?(?= |$)/;
/** A project's own script, called by its name with a subcommand: `train.py resume`. */
const SCRIPT = /^(?:\.\/)?(?:[\w-]{1,60}\/){0,8}[\w-]{1,80}\.(?:py|sh)(?= |$)/;
const INLINE = /`{1,2}([^`\n]{3,400})`{1,2}/g;

function toCommand(raw: string, start: number): Command | null {
  const text = raw.trim().replace(/\s+#\s.*$/, '');
  const argv = shellWords(text);
  if (argv === null || argv.length === 0) return null;
  const at = start + raw.indexOf(text);
  return { span: { start: at, end: at + text.length }, text, argv };
}

/** True when the text runs a program of those that reports use. */
export function looksLikeCommand(text: string): boolean {
  const body = text.trim().replace(ASSIGNMENTS, '');
  if (!PROGRAM.test(body) && !SCRIPT.test(body)) return false;
  // A program's name alone is a word of prose; a script's name alone is a file.
  if (!/\s/.test(body)) return false;
  return !/^(?:python|pip|git|make|conda|docker|ray|set|time|sh|bash|uv) (?:is|and|or|version|versions|[\d.]+$|[\d.]+,|with|was|has|sure|the|a|it|in)(?=[\s,;:]|$)/i.test(
    body,
  );
}

/** Joins lines that end in a backslash with the next one. */
function joined(lines: readonly Line[], at: number): { text: string; last: number } {
  let text = lines[at]?.text ?? '';
  let last = at;
  while (text.endsWith('\\') && lines[last + 1] !== undefined && last - at < 40) {
    last += 1;
    text = text.slice(0, -1) + ' ' + (lines[last]?.text.trim() ?? '');
  }
  return { text, last };
}

function fromCodeLine(lines: readonly Line[], at: number): { command: Command; last: number } | null {
  const line = lines[at];
  if (line === undefined) return null;
  const { text, last } = joined(lines, at);
  const prompt = PROMPT.exec(text)?.[0].length ?? 0;
  const body = text.slice(prompt).trim();
  if (!looksLikeCommand(body) && !(prompt > 0 && /^[\w./-]{1,80}(?: |$)/.test(body) && body !== '')) return null;
  if (last > at) {
    const argv = shellWords(body);
    return argv === null
      ? null
      : { command: { span: { start: line.start, end: lines[last]?.end ?? line.end }, text: body.replace(/\s+/g, ' '), argv }, last };
  }
  const command = toCommand(text.slice(prompt), line.contentStart + prompt);
  return command === null ? null : { command, last };
}

function fromProseLine(line: Line): Command[] {
  const found: Command[] = [];
  for (const match of findAll(INLINE, line.text, 50)) {
    const body = match[1] ?? '';
    if (
      !looksLikeCommand(body) &&
      !/^(?:[\w-]{1,60}\/){0,8}(?:main|train|run|test|evaluate|eval|demo|repro)[\w-]{0,60}\.py$/.test(body.trim())
    )
      continue;
    const command = toCommand(body, line.contentStart + match.index + match[0].indexOf(body));
    if (command !== null && (command.argv.length > 1 || /\.py$/.test(command.text) === false)) found.push(command);
  }
  if (found.length > 0) return found;
  const lead = (LIST_MARK.exec(line.text)?.[0].length ?? 0) + (PROMPT.exec(line.text.replace(LIST_MARK, ''))?.[0].length ?? 0);
  const rest = line.text.slice(lead);
  // Bare commands: a whole line or list item, or what follows "run:".
  const label = /^(?:run|command|start with|launch(?:ed)? with|cmd)\s?:\s*/i.exec(rest)?.[0].length ?? 0;
  const body = rest.slice(label);
  if (!looksLikeCommand(body) || !/^\S{1,120} \S/.test(body) || /[a-z]\. [A-Z]/.test(body)) return found;
  if (/\s(?:and|then|the|fails?|works?|hangs?|crashes|is|gives|prints)\s/.test(body)) return found;
  const command = toCommand(body, line.contentStart + lead + label);
  return command === null ? found : [command];
}

/** Shell commands: lines of code blocks, prompts, list items and back-ticked ones, with their words; in order of place. */
export function readCommands(lines: readonly Line[], consumed: ReadonlySet<number>, maxItems: number): Command[] {
  const found: Command[] = [];
  for (let at = 0; at < lines.length && found.length < maxItems; at += 1) {
    const line = lines[at];
    if (line === undefined || consumed.has(at)) continue;
    if (line.kind === 'fenced' || line.kind === 'indented') {
      const reading = fromCodeLine(lines, at);
      if (reading === null) continue;
      found.push(reading.command);
      at = reading.last;
    } else if (line.kind === 'prose' || line.kind === 'table') found.push(...fromProseLine(line));
  }
  return uniqueBy(found, (command) => `${String(command.span.start)}`).slice(0, maxItems);
}
