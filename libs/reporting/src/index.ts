export { renderMarkdown } from './render-markdown.js';
export type { MarkdownOptions } from './render-markdown.js';
export { renderFiveKey } from './render-five-key.js';
export type { FiveKeyMaterial, FiveKeyRecord } from './render-five-key.js';
export { renderTerminalEvent, renderTerminalVerdict } from './render-terminal.js';
export type { TerminalOptions, VerdictLinks } from './render-terminal.js';
export { createJsonReporter, createTerminalReporter } from './reporter.js';
export type { Reporter, ReporterOutput } from './reporter.js';
export { plainLine, plainLines } from './plain-text.js';
