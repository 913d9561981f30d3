import { NAMES_SOURCE, NAMES_SUBJECT, type Labels } from './labels.js';
import { isSubjectModule, type SubjectListing } from './subject-listing.js';

const TEXT_LIMIT = 20_000;

/**
 * Whether a text of the script names the subject: one of its files as a whole word or at the end of a path, one of its
 * modules, the variable that holds its folder, or code that imports it.
 * @param literal a string literal as the script writes it, quotes included
 */
export function labelsOfText(literal: string, subject: SubjectListing): Labels {
  const text = literal.slice(0, TEXT_LIMIT);
  let labels: Labels = 0;
  for (const word of text.split(/[\s'"`,;:=()[\]{}]+/)) {
    if (word === 'PROJECT_DIR') labels |= NAMES_SUBJECT;
    const path = word.replace(/^\.?\//, '');
    if (path === '') continue;
    const named = subject.files.has(path) || (path.includes('.') && endsLikeFile(path, subject));
    if (named) labels |= path.endsWith('.py') ? NAMES_SUBJECT | NAMES_SOURCE : NAMES_SUBJECT;
  }
  const content = text.replace(/^[A-Za-z]*(?:"""|'''|"|')|(?:"""|'''|"|')$/g, '');
  if (subject.modules.has(content)) labels |= NAMES_SUBJECT;
  for (const match of text.matchAll(/(?:^|[\s;"'])(?:from|import)[ \t]+([\w.]{1,200})/g)) {
    if (isSubjectModule(subject, match[1] ?? '')) labels |= NAMES_SUBJECT;
  }
  return labels;
}

function endsLikeFile(path: string, subject: SubjectListing): boolean {
  const name = path.split('/').at(-1) ?? '';
  for (const file of subject.files) {
    if (file === name || (file.endsWith(`/${name}`) && (path === name || path.endsWith(file) || file.endsWith(path)))) return true;
  }
  return false;
}
