import type { Candidate } from '@reenact/domain';
import { findFences } from './fences.js';
import { buildCandidate, buildLaunch, withoutDuplicates } from './launch-building.js';
import type { ReportMaterial } from './report-commands.js';
import { mendSnippet } from './snippet-text.js';
import type { SubjectTree } from './subject-tree.js';
import { nearestFile } from './subject-tree.js';

interface Snippet {
  text: string;
  start: number;
  end: number;
  repairs: string[];
  selfContained: boolean;
  /** File name that the report gives it, such as "save as `repro.py`". */
  name: string;
  /** Arguments of a command that starts it under that name. */
  args: string[];
}

const MAX_SNIPPETS = 6;
const DEFAULT_NAME = 'repro.py';
const MAX_SNIPPET_BYTES = 200_000;
/** Share of a block's lines that may come word for word from one project file before the block counts as a quotation. */
const QUOTATION_SHARE = 0.8;
const UNWANTED_LEAD =
  /\b(?:work-?around|possible fix|proposed fix|fix(?:es|ed)? (?:is|it|this|by|would)|solution|expected (?:output|behaviou?r|result)|should (?:be|print|give|look)|works? (?:fine|if|when|with)|instead of|the (?:relevant|offending|problematic) (?:code|line|part|function)|patch|diff|after (?:the|this) change)\b/i;

/** Scripts that the report itself shows: each self-contained Python block, then all blocks joined in their order. */
export function proposeSnippets(material: ReportMaterial): Candidate[] {
  const snippets = findSnippets(material);
  const whole = snippets.length > 1 ? [joinSnippets(snippets)] : [];
  const alone = snippets.filter(({ selfContained }) => selfContained);
  const needsJoining = snippets.some(({ selfContained }) => !selfContained);
  const ordered = needsJoining ? [...whole, ...alone] : [...alone, ...whole];
  const usable = ordered.length === 0 ? snippets : ordered;
  return withoutDuplicates(usable.map((snippet) => toCandidate(snippet, material)));
}

function toCandidate(snippet: Snippet, { claim }: ReportMaterial): Candidate {
  return buildCandidate({
    origin: 'report-snippet',
    files: [{ path: snippet.name, text: snippet.text }],
    launch: buildLaunch([{ argv: ['python', `@script/${snippet.name}`, ...snippet.args], ranks: 1, continueOnError: false }], {}, claim),
    source: `script of the report, characters ${snippet.start}-${snippet.end}`,
    repairs: snippet.repairs,
  });
}

function joinSnippets(snippets: Snippet[]): Snippet {
  const [first] = snippets;
  return {
    ...first!,
    end: snippets.at(-1)!.end,
    text: snippets.map(({ text }) => text).join('\n'),
    repairs: [...new Set(snippets.flatMap(({ repairs }) => repairs)), `joined ${snippets.length} blocks of the report`],
    selfContained: true,
  };
}

function findSnippets(material: ReportMaterial): Snippet[] {
  const { report, tree } = material;
  const text = report.text.slice(0, 400_000);
  const fences = findFences(text).map((fence) => ({ start: fence.start, end: fence.end, text: fence.text, language: fence.language }));
  const indented = report.codeBlocks
    .filter(({ span, language }) => language === 'python' && !fences.some((fence) => fence.start < span.end && fence.end > span.start))
    .map(({ span, text: block }) => ({ start: span.start, end: span.end, text: block, language: 'python' }));
  return [...fences, ...indented]
    .sort((a, b) => a.start - b.start)
    .filter((block) => isPython(block, report))
    .filter((block) => !UNWANTED_LEAD.test(leadOf(text, block.start)))
    .map((block) => readSnippet(block, text, tree))
    .filter((snippet) => snippet.text.length < MAX_SNIPPET_BYTES && isScript(snippet.text) && !isQuotation(snippet.text, tree))
    .slice(0, MAX_SNIPPETS);
}

interface Block {
  start: number;
  end: number;
  text: string;
  language: string;
}

function isPython(block: Block, report: ReportMaterial['report']): boolean {
  const known = report.codeBlocks.find(({ span }) => span.start < block.end && span.end > block.start)?.language;
  if (known !== undefined && known !== 'python' && known !== 'unknown') return /^(?:pycon|ipython)$/.test(block.language);
  if (/^(?:py|python\d?|pycon|ipython\d?)$/.test(block.language)) return !looksLikeOutput(block.text);
  return block.language === '' && !looksLikeOutput(block.text) && /^[ \t]*(?:>>> |import \w|from \w[\w.]* import )/m.test(block.text);
}

function looksLikeOutput(text: string): boolean {
  return /^[ \t]*Traceback \(most recent call last\)/m.test(text) && !/^[ \t]*>>> /m.test(text);
}

/** The sentence or heading right before a block. */
function leadOf(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - 300), start).trimEnd();
  return before.slice(Math.max(before.lastIndexOf('\n\n'), before.lastIndexOf('. ')) + 1);
}

function readSnippet(block: Block, text: string, tree: SubjectTree): Snippet {
  const mended = mendSnippet(block.text);
  const around = `${leadOf(text, block.start)}\n${mended.text.split('\n', 1)[0]!}`;
  const named = /(?:^|[\s`"'(*#])([A-Za-z_][\w-]{0,60}\.py)\b/.exec(around)?.[1];
  // A file of the project that the words before it name is not this script.
  const name = named !== undefined && nearestFile(tree, named) === null ? named : DEFAULT_NAME;
  return {
    ...block,
    text: mended.text,
    repairs: mended.repairs,
    selfContained: /^(?:import \w|from \w[\w.]* import )/m.test(mended.text),
    name,
    args: argumentsOf(name, text),
  };
}

/** Words after `python NAME` in the report, where they are plain words. */
function argumentsOf(name: string, text: string): string[] {
  const at = text.search(new RegExp(`python[\\d.]{0,5} (?:\\./)?${name.replace(/[.\\-]/g, '\\$&')}(?![\\w.])`));
  if (at === -1) return [];
  const line = text.slice(at, at + 300).split(/[`\n;|&<>]/, 1)[0]!;
  const words = line.trim().split(/\s+/).slice(2);
  const end = words.findIndex((word) => !/^[\w./=,:+-]+$/.test(word));
  return (end === -1 ? words : words.slice(0, end)).slice(0, 12);
}

/** True when the block does something at its top level besides importing and defining. */
export function isScript(text: string): boolean {
  return text
    .split('\n')
    .some(
      (line) =>
        /^(?!import |from |def |async def |class |@|#|\s|$|pass$|\)|\]|\}|["'])/.test(line) &&
        /[(=]|^(?:assert|raise|for|while|with|if|try|del|print)\b/.test(line),
    );
}

function isQuotation(text: string, tree: SubjectTree): boolean {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length > 3);
  if (lines.length === 0) return true;
  return tree.files
    .filter((file) => file.endsWith('.py'))
    .slice(0, 2000)
    .some((file) => {
      const own = new Set((tree.read(file) ?? '').split('\n').map((line) => line.trim()));
      return lines.filter((line) => own.has(line)).length >= QUOTATION_SHARE * lines.length;
    });
}
