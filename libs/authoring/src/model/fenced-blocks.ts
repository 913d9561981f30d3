export interface FencedBlock {
  language: string;
  text: string;
  /** False for a block that the answer ends in: it was probably cut. */
  closed: boolean;
}

const MAX_BLOCKS = 200;

/** Fenced blocks of a model's answer, in their order; a block inside a longer fence belongs to the longer one. */
export function fencedBlocks(text: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { mark: string; language: string; lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    if (blocks.length >= MAX_BLOCKS) return blocks;
    const match = /^\s{0,12}(`{3,20}|~{3,20})\s*([\w+#.-]{0,30})/.exec(line);
    if (open === null) {
      if (match) open = { mark: match[1]!, language: (match[2] ?? '').toLowerCase(), lines: [] };
    } else if (match && match[1]!.startsWith(open.mark) && line.trim() === match[1]) {
      blocks.push({ language: open.language, text: open.lines.join('\n'), closed: true });
      open = null;
    } else open.lines.push(line);
  }
  if (open !== null) blocks.push({ language: open.language, text: open.lines.join('\n'), closed: false });
  return blocks;
}
