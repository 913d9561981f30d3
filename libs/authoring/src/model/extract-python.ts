import { fencedBlocks } from './fenced-blocks.js';
import { stripReasoning } from './strip-reasoning.js';

export interface ExtractedPython {
  text: string;
  /** The answer ended inside the block, so the script is probably cut. */
  truncated: boolean;
}

/**
 * The Python script of a model's answer: the longest block marked as Python, else the longest unmarked block, else the
 * whole text where it reads like Python. Reasoning blocks are taken out first. Null where there is none.
 */
export function extractPython(answer: string): ExtractedPython | null {
  const text = stripReasoning(answer);
  const blocks = fencedBlocks(text);
  const python = blocks.filter(({ language }) => /^(?:py|python\d?)$/.test(language));
  const unmarked = blocks.filter(({ language, text: block }) => language === '' && !/^\s*[{[]/.test(block));
  const best = longest(python) ?? longest(unmarked);
  if (best) return { text: `${best.text.trim()}\n`, truncated: !best.closed };
  return blocks.length === 0 && readsLikePython(text) ? { text: `${text.trim()}\n`, truncated: false } : null;
}

function longest<T extends { text: string }>(blocks: T[]): T | undefined {
  return blocks.filter(({ text }) => text.trim() !== '').toSorted((a, b) => b.text.length - a.text.length)[0];
}

/** The first line that is no comment and not empty begins like a statement. */
function readsLikePython(text: string): boolean {
  const first = text.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  return /^(?:import \w|from \w[\w.]* import |def \w|class \w|async def |if __name__|print\(|"""|'''|@\w|\w+ = )/.test(first);
}
