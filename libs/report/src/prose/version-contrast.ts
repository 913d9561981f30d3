import type { Report } from '@reenact/domain';
import { overlaps } from '../scan.js';

const FAILS = /\b(?:fail\w*|crash\w*|hang\w*|rais\w+|error|broken|wrong|nan|no longer|any ?more|stops?|dies)\b|[a-z](?:Error|Exception)\b/i;

/** A sentence that names a version in which all is well, and no failure, is a contrast: "with torch 2.5 the same files load". */
export function withVersionContrasts(sentences: Report['sentences'], packages: Report['packages']): Report['sentences'] {
  const good = packages.filter((entry) => entry.role === 'good');
  return sentences.map((sentence) => {
    const isContrast =
      sentence.stance === 'observed' && !FAILS.test(sentence.text) && good.some((entry) => overlaps(entry.span, sentence.span));
    return isContrast ? { ...sentence, stance: 'contrast' } : sentence;
  });
}
