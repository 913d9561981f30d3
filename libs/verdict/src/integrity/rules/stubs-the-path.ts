import { FROM_SUBJECT, has } from '../labels.js';
import { canonicalOf } from '../flow-queries.js';
import { suspicion, type Rule } from '../rule.js';
import { isSubjectModule } from '../subject-listing.js';
import { confirmPatch } from './patches-the-subject.js';

const CODE = 'stubs-the-path';

/** A fake module in `sys.modules` in the place of one of the subject's, or a file of the script that hides one. */
export const stubsThePath: Rule = {
  code: CODE,
  check(input) {
    const entries = input.script.statements.flatMap((site) => {
      const left = site.node.childForFieldName('left');
      if (left?.type !== 'subscript' || canonicalOf(input.script, left.childForFieldName('value'), site.source) !== 'sys.modules')
        return [];
      const module = (left.childForFieldName('subscript')?.text ?? '').replace(/^["']|["']$/g, '');
      const place = { file: site.source.file.path, line: site.node.startPosition.row + 1, detail: { target: module } };
      // The subject's own module under another name is a way to import it.
      if (isSubjectModule(input.subject, module) && !has(site.labels, FROM_SUBJECT))
        return [suspicion(CODE, `module ${module} of the subject is replaced`, place)];
      return [{ ...suspicion(CODE, `module ${module} is replaced`, place), level: 'advice' as const }];
    });
    const hiding = input.script.sources.flatMap(({ file }) => {
      const module = file.path.replace(/\.py$/, '');
      if (!input.subject.modules.has(module)) return [];
      return [
        suspicion('runs-a-copy', `${file.path} has the name of a module of the subject`, {
          file: file.path,
          line: 1,
          detail: { target: module },
        }),
      ];
    });
    return [...entries, ...hiding];
  },
  confirm: confirmPatch,
};
