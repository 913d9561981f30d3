/** A fenced block of a report: its language word and where the text between the fences lies. */
export interface Fence {
  /** Range with the fence lines. */
  start: number;
  end: number;
  language: string;
  textStart: number;
  text: string;
}

/** A report with more blocks than this is no report that somebody wrote. */
const MAX_FENCES = 300;

/** Fenced blocks of Markdown text (``` and ~~~), also one that is never closed. One pass over the lines. */
export function findFences(text: string): Fence[] {
  const fences: Fence[] = [];
  let open: { start: number; mark: string; language: string; textStart: number } | null = null;
  let offset = 0;
  for (const line of text.split('\n')) {
    if (fences.length >= MAX_FENCES) return fences;
    const next = offset + line.length + 1;
    const mark = /^ {0,6}(`{3,20}|~{3,20})/.exec(line)?.[1];
    if (open === null && mark !== undefined) {
      const language = (/[`~]\s*([\w+#.-]{0,30})/.exec(line.trimStart().slice(mark.length - 1))?.[1] ?? '').toLowerCase();
      open = { start: offset, mark, language, textStart: next };
    } else if (open !== null && mark !== undefined && mark.startsWith(open.mark) && line.trim() === mark) {
      fences.push({
        start: open.start,
        end: next,
        language: open.language,
        textStart: open.textStart,
        text: text.slice(open.textStart, Math.max(open.textStart, offset - 1)),
      });
      open = null;
    }
    offset = next;
  }
  if (open !== null)
    fences.push({
      start: open.start,
      end: text.length,
      language: open.language,
      textStart: open.textStart,
      text: text.slice(open.textStart),
    });
  return fences;
}
