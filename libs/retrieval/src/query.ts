import { tokenise } from '@reenact/code-index';

/** What a claim asks of a tree: the port's query. */
export interface ContextQuery {
  title: string;
  body: string;
  frames: QueryFrame[];
  symbols: string[];
}

/** A frame of the report's traces; `line` helps to cut a long function around it. */
export interface QueryFrame {
  file: string;
  function?: string | undefined;
  line?: number | undefined;
}

/** Reports are cut here, in characters (method.md section 1.3). */
const LONGEST_BODY = 100_000;
/** How often the names of frames and symbols are repeated in the query, so that they weigh as much as a few words of prose. */
const FRAME_TIMES = 3;
const SYMBOL_TIMES = 2;

/** Lines that issue forms and environment collectors put into every report: they say nothing about the code. */
const BOILERPLATE = [
  /^\s*[-*] \[[ xX]?\]/,
  /^\s*#{1,6}\s*(?:describe the bug|bug description|expected behaviou?r|actual behaviou?r|current behaviou?r|to reproduce|steps to reproduce|reproduction|versions?|environment|system info|additional context|checklist|screenshots?|who can help)\b.{0,40}$/i,
  /^\s*(?:\[(?:pip3?|conda)\]|\d{1,4}\. ?\[|#{3,}$)/i,
  /^\s*(?:OS|GCC version|Clang version|CMake version|Libc version|Python version|Python platform|CUDA used to build|ROCM used|HIP runtime|MIOpen|Is (?:CUDA|XNNPACK|debug)|CUDA runtime|CUDA_MODULE|GPU models|Nvidia driver|cuDNN version|CPU|Architecture|Vendor ID|Model name|Flags|Vulnerability .{1,40}|L\dd?i? cache|NUMA .{1,20}|Versions of relevant libraries)\s*:/i,
  /^\s*[A-Za-z][\w.-]{0,60}\s*==\s*[\w.+!-]{1,40}\s*$/,
];
const LIBRARY_FRAME = /^\s*File "[^"\n]{0,500}(?:site-packages|dist-packages|lib[\\/]python[\d.]{1,5}|<frozen)[^"\n]{0,500}", line \d+/;

/** Tokens of the query, with repetition: title, body without form boilerplate, frames that the tree holds, symbols. */
export function queryTokens(query: ContextQuery, knownFrames: QueryFrame[]): string[] {
  const tokens = tokenise(query.title);
  tokens.push(...tokenise(meaningfulLines(query.body)));
  for (const frame of knownFrames) {
    const stem =
      frame.file
        .replaceAll('\\', '/')
        .split('/')
        .at(-1)
        ?.replace(/\.\w+$/, '') ?? '';
    const names = [...tokenise(stem), ...tokenise(/^[<(]/.test(frame.function ?? '<') ? '' : (frame.function ?? ''))];
    for (let time = 0; time < FRAME_TIMES; time++) tokens.push(...names);
  }
  for (const symbol of [...new Set(query.symbols)]) {
    const names = tokenise(symbol);
    for (let time = 0; time < SYMBOL_TIMES; time++) tokens.push(...names);
  }
  return tokens;
}

/** The report without comments of forms, boilerplate, links, and frames of libraries with their line of code. */
export function meaningfulLines(body: string): string {
  const kept: string[] = [];
  let inLibraryFrame = false;
  for (const line of dropComments(body.slice(0, LONGEST_BODY)).split('\n')) {
    const short = line.slice(0, 2000);
    const isCodeOfFrame: boolean = inLibraryFrame && /^\s{2,}\S/.test(short) && !/^\s*File "/.test(short);
    inLibraryFrame = LIBRARY_FRAME.test(short) || isCodeOfFrame;
    if (inLibraryFrame || BOILERPLATE.some((pattern) => pattern.test(short))) continue;
    kept.push(short.replace(/https?:\/\/\S+/g, ' '));
  }
  return kept.join('\n');
}

function dropComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', start);
    if (end < 0) break;
    kept.push(text.slice(from, start));
    from = end + 3;
  }
  kept.push(text.slice(from));
  return kept.join(' ');
}
