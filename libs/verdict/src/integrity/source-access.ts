import type { PythonNode } from '@reenact/code-index';
import { EDITED, FROM_SOURCE, FROM_SUBJECT, has, NAMES_SOURCE, NAMES_SUBJECT, type Labels } from './labels.js';

/** Attributes by which a function or module gives its own code or text away. */
const CODE_ATTRIBUTES = /^(?:__code__|func_code|__loader__|__spec__|co_\w+)$/;
/** Attributes that hold the path of a source file. */
const PATH_ATTRIBUTES = /^(?:__file__|__cached__)$/;
/** Methods and functions after which a text is another one; decoding, dedenting and stripping leave the code as it is. */
const EDITORS =
  /(?:^|\.)(?:replace|sub|subn|join|split|rsplit|splitlines|partition|rpartition|format|translate|unparse|fix_missing_locations|generic_visit)$/;
/** Programs that show or compare the text of a file. */
const TEXT_TOOLS =
  /(?:^|["'\s/;|(])(?:e?grep|rg|diff|cmp|cat|sed|awk|wc|stat|ls|head|tail|md5sum|sha\d+sum|b2sum|cksum|git|strings|od|xxd)\b/;

/** Labels of an attribute that leads to or from the subject's text; null for any other attribute. */
export function labelsOfCodeAttribute(attribute: string, object: Labels): Labels | null {
  if (attribute === 'parent' || attribute === 'parents') return object & ~NAMES_SOURCE;
  if (!has(object, FROM_SUBJECT | FROM_SOURCE)) return null;
  if (CODE_ATTRIBUTES.test(attribute)) return FROM_SOURCE | (object & EDITED);
  return PATH_ATTRIBUTES.test(attribute) ? NAMES_SUBJECT | NAMES_SOURCE : null;
}

/** A string literal without its prefix and quotes. */
export function unquoted(literal: string): string {
  return literal.replace(/^[A-Za-z]*["']+|["']+$/g, '');
}

/** A name of such an attribute as a text, as `getattr` and `vars` take it. */
export function labelsOfCodeName(literal: string): Labels {
  const name = unquoted(literal);
  if (CODE_ATTRIBUTES.test(name)) return FROM_SOURCE;
  return PATH_ATTRIBUTES.test(name) ? NAMES_SUBJECT | NAMES_SOURCE : 0;
}

/** `EDITED` where an expression changes a text of the subject's source, else 0. */
export function editedBy(node: PythonNode, labels: Labels): Labels {
  if (!has(labels, FROM_SOURCE)) return 0;
  if (node.type === 'call') return EDITORS.test(node.childForFieldName('function')?.text ?? '') ? EDITED : 0;
  return node.type === 'binary_operator' || node.type === 'subscript' || node.type === 'interpolation' ? EDITED : 0;
}

/** Whether a child process only shows or compares the text of source files. */
export function showsText(argumentNode: PythonNode, labels: Labels): boolean {
  return has(labels, NAMES_SOURCE) && TEXT_TOOLS.test(argumentNode.text.slice(0, 2_000));
}
