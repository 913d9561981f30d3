/** A script's text after deterministic mending, with a word about each change. */
export interface MendedText {
  text: string;
  repairs: string[];
}

const DISPLAY_CALL =
  /^(\s*)(?:plt|pyplot|matplotlib\.pyplot|pylab)\.(?:show|pause|draw)\([^()\n]{0,200}\)\s*;?\s*(?:#.*)?$|^(\s*)(?:display|cv2\.imshow|cv2\.waitKey|cv2\.destroyAllWindows|input)\([^()\n]{0,200}\)\s*;?\s*(?:#.*)?$/;
const MAGIC = /^(\s*)(?:[%!]{1,2}[A-Za-z]|\?)/;

/** All mendings that change nothing of what a script does, in their order: prompts, indentation, magics, display calls. */
export function mendSnippet(text: string): MendedText {
  let current: MendedText = { text: text.replaceAll('\r\n', '\n'), repairs: [] };
  for (const mend of [stripPrompts, normaliseIndentation, removeMagics, removeDisplayCalls]) {
    const next = mend(current.text);
    current = { text: next.text, repairs: [...current.repairs, ...next.repairs] };
  }
  return { ...current, text: `${current.text.trim()}\n` };
}

/** Interpreter sessions: keeps what was typed after `>>>`, `...` or `In [3]:`, drops what was printed. */
export function stripPrompts(text: string): MendedText {
  const lines = text.split('\n');
  const prompt = /^\s*(?:>>>|\.\.\.|In \[\d{1,5}\]:|\s{0,8}\.{3}:)(?: |$)/;
  if (!lines.some((line) => /^\s*(?:>>>|In \[\d{1,5}\]:)/.test(line))) return { text, repairs: [] };
  const typed = lines.filter((line) => prompt.test(line)).map((line) => line.replace(prompt, ''));
  return { text: typed.join('\n'), repairs: ['removed interpreter prompts and their output'] };
}

/** Takes off the indentation that all lines share, and turns leading tabs into four spaces where tabs and spaces are mixed. */
export function normaliseIndentation(text: string): MendedText {
  const repairs: string[] = [];
  let lines = text.split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)![0]);
  if (indents.some((indent) => indent.includes('\t')) && indents.some((indent) => indent.includes(' '))) {
    lines = lines.map((line) => /^[ \t]*/.exec(line)![0].replaceAll('\t', '    ') + line.trimStart());
    repairs.push('tabs in indentation became spaces');
  }
  const filled = lines.filter((line) => line.trim() !== '');
  const first = /^[ \t]*/.exec(filled[0] ?? '')![0];
  if (first !== '' && filled.every((line) => line.startsWith(first))) {
    lines = lines.map((line) => (line.startsWith(first) ? line.slice(first.length) : line));
    repairs.push('removed the common indentation');
  }
  return { text: lines.join('\n'), repairs };
}

/** Notebook lines (`%matplotlib inline`, `!pip install …`) become `pass`, so that a block does not get empty. */
export function removeMagics(text: string): MendedText {
  return replaceLines(text, MAGIC, 'removed notebook magics');
}

/** Calls that open a window or wait for a key: nothing of them is left but `pass`. */
export function removeDisplayCalls(text: string): MendedText {
  return replaceLines(text, DISPLAY_CALL, 'removed display calls');
}

function replaceLines(text: string, pattern: RegExp, repair: string): MendedText {
  let changed = false;
  const lines = text.split('\n').map((line) => {
    if (line.length > 1000 || !pattern.test(line)) return line;
    changed = true;
    return `${/^\s*/.exec(line)![0]}pass`;
  });
  return { text: lines.join('\n'), repairs: changed ? [repair] : [] };
}

/**
 * `.cuda()`, `.to("cuda")` and `device="cuda"` taken out for a machine without such a device. It changes the condition of
 * the report, so it is done only after a failure for want of a device, and it is always recorded.
 */
export function removeCuda(text: string): MendedText {
  const mended = text
    .replace(/\.cuda\((?:\d{1,2}|non_blocking=(?:True|False)|device=\d{1,2}|(?:self\.|args\.)?(?:gpu|rank|local_rank|device))?\)/g, '')
    .replace(/(["'])cuda(?::\d{1,2})?\1/g, '$1cpu$1')
    .replace(
      /\btorch\.cuda\.(?:synchronize|empty_cache|reset_peak_memory_stats|manual_seed|manual_seed_all|set_device)\([^()\n]{0,100}\)/g,
      'None',
    );
  return { text: mended, repairs: mended === text ? [] : ['CUDA calls became CPU: there is no such device here'] };
}
