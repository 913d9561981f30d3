import { shownTrials, trialsOf } from '../arm-facts.js';
import { FROM_SUBJECT, has } from '../labels.js';
import { canonicalOf } from '../flow-queries.js';
import { answered, placeOf, type Rule, suspicion } from '../rule.js';
import { isSubjectModule, type SubjectListing } from '../subject-listing.js';
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
      const place = { ...placeOf(site), detail: { target: module } };
      // The subject's own module under another name is a way to import it.
      if (isSubjectModule(input.subject, module) && !has(site.labels, FROM_SUBJECT))
        return [suspicion(CODE, `module ${module} of the subject is replaced`, place)];
      return [{ ...suspicion(CODE, `module ${module} is replaced`, place), level: 'advice' as const }];
    });
    // Put in by a method, or under a name that is computed.
    const methods = input.script.calls.flatMap((call) => {
      if (!/^sys\.modules\.(?:update|setdefault|__setitem__)$/.test(call.name ?? '')) return [];
      const given = call.node.childForFieldName('arguments')?.text ?? '';
      const words = new Set(given.match(/[\w.]+/g));
      const target = [...input.subject.modules.keys()].find((module) => words.has(module));
      if (target === undefined || has(call.arguments, FROM_SUBJECT)) return [];
      const place = { ...placeOf(call), detail: { target } };
      return [suspicion(CODE, `module ${target} of the subject is replaced`, place)];
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
    return [...entries, ...methods, ...hiding];
  },
  confirm(finding, input) {
    const target = String(finding.detail?.['target'] ?? '');
    if (shownTrials(input, undefined).length === 0 || !input.subject.modules.has(target)) return confirmPatch(finding, input);
    // A control runs with the same fake module, so it cannot tell what the real one would have given.
    return answered(finding, 'finding', `${target} of the subject never ran: another module was in its place`);
  },
  observe(input) {
    if (shownTrials(input, undefined).length === 0) return [];
    for (const { judged, records } of trialsOf(input, 'candidate')) {
      for (const record of records) {
        if (record.kind !== 'notice' || record.code !== 'shadowed-module') continue;
        const [module = '', file = ''] = record.message.split(' by ');
        if (input.subject.files.has(file) || !concernsSubject(module, input.subject)) continue;
        const message = `${module}, which the subject imports, was loaded from ${file}`;
        return [{ rule: CODE, level: 'finding', message, evidence: `record ${record.seq} of trial ${judged.trial}` }];
      }
    }
    return [];
  },
};

/** One of its own modules, or one of the standard library that some file of it imports. */
function concernsSubject(module: string, subject: SubjectListing): boolean {
  if (!/^\w+$/.test(module)) return false;
  if (subject.modules.has(module)) return true;
  const imported = new RegExp(`^\\s*(?:from\\s+${module}\\b|import\\s+(?:[\\w., ]*,\\s*)?${module}\\b)`, 'm');
  return [...subject.texts.values()].some((text) => imported.test(text));
}
