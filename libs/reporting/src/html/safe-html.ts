const MADE = Symbol('made by markup``');

/** Markup that may stand in a page as it is. Only {@link markup} and {@link joinHtml} make it. */
export interface SafeHtml {
  readonly [MADE]: true;
  readonly markup: string;
}

type Part = SafeHtml | readonly SafeHtml[] | string | number;

/** Markup with holes; a text in a hole is escaped for content and quoted attributes alike, only markup made here is not. */
export function markup(strings: TemplateStringsArray, ...parts: Part[]): SafeHtml {
  const markup = strings.reduce((page, piece, index) => `${page}${renderPart(parts[index - 1] ?? '')}${piece}`);
  return { [MADE]: true, markup };
}

/** Markup pieces one after the other. */
export function joinHtml(pieces: readonly SafeHtml[], between = ''): SafeHtml {
  return { [MADE]: true, markup: pieces.map(({ markup }) => markup).join(escapeHtml(between)) };
}

function renderPart(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return isList(part) ? part.map(({ markup }) => markup).join('') : part.markup;
}

function isList(part: SafeHtml | readonly SafeHtml[]): part is readonly SafeHtml[] {
  return Array.isArray(part);
}

/** A text for content or a quoted attribute (HTML standard, section 13.3: the five signs that can begin markup or end an attribute). */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

/** A text as a fragment id: letters, digits, dots and hyphens stay, every other character becomes its number. */
export function fragmentId(text: string): string {
  return [...text.slice(0, 200)]
    .map((sign) => (/[A-Za-z0-9.-]/.test(sign) ? sign : `_${sign.codePointAt(0)?.toString(16) ?? ''}`))
    .join('');
}
