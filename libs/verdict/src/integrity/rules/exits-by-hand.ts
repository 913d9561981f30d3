import type { PythonNode } from '@reenact/code-index';
import type { Facet } from '@reenact/domain';
import { decide, notShown, shownTrials } from '../arm-facts.js';
import { FROM_SUBJECT, has } from '../labels.js';
import { answered, placeOf, type Rule, suspicion } from '../rule.js';
import type { CallSite } from '../script-flow.js';

const CODE = 'exits-by-hand';

/** What a call ends its process with: an exit code, a signal, or null where it is no such call or is computed. */
type Ending = { code: number } | { signal: string } | null;

/** `sys.exit`, `os._exit` or a signal to itself that imitates the claimed status. */
export const exitsByHand: Rule = {
  code: CODE,
  check(input) {
    return input.script.calls.flatMap((call) => {
      const ending = endingOf(call);
      if (ending === null || ('code' in ending && ending.code === 0)) return [];
      const place = placeOf(call);
      const guarded = has(call.context | call.arguments, FROM_SUBJECT);
      const claimed = input.facets.filter((facet) => isClaimed(facet, ending));
      return claimed.map((facet) =>
        suspicion(CODE, 'the script ends itself with the claimed status', { ...place, facet: facet.id, detail: { guarded, ...ending } }),
      );
    });
  },
  confirm(finding, input) {
    const trials = shownTrials(input, finding.facet);
    if (trials.length === 0) return notShown(finding);
    const { code, signal } = finding.detail ?? {};
    const ended = trials.some(({ records }) =>
      records.some(
        (record) =>
          record.kind === 'exit' &&
          record.endedBy === 'self' &&
          (code === undefined ? record.signal === signal : record.code === code) &&
          !isFromException(records, record.pid),
      ),
    );
    if (!ended) return answered(finding, 'refuted', 'no process ended with this status by itself');
    return decide(finding, input, `line ${finding.line ?? 0} of the script ends the process with the claimed status`);
  },
};

function isFromException(records: readonly { kind: string; pid?: number | undefined }[], pid: number | undefined): boolean {
  return records.some((record) => record.kind === 'exception' && (record as { how?: string }).how === 'uncaught' && record.pid === pid);
}

function endingOf(call: CallSite): Ending {
  const given = (call.node.childForFieldName('arguments')?.namedChildren ?? []).filter((child): child is PythonNode => child !== null);
  if (call.name === 'os.kill' || call.name === 'signal.raise_signal' || call.name === 'signal.pthread_kill') {
    const isSelf = call.name !== 'os.kill' || /getpid/.test(given[0]?.text ?? '');
    const named = /SIG[A-Z]+/.exec(given.at(-1)?.text ?? '')?.[0];
    return isSelf && named !== undefined ? { signal: named } : null;
  }
  if (call.kind !== 'exits') return null;
  if (call.name === 'os.abort' || call.name === 'faulthandler._sigabrt') return { signal: 'SIGABRT' };
  if (call.name === 'faulthandler._sigfpe') return { signal: 'SIGFPE' };
  if (call.name === 'faulthandler._sigsegv') return { signal: 'SIGSEGV' };
  if (call.name?.startsWith('ctypes.') === true) return given[0]?.text === '0' ? { signal: 'SIGSEGV' } : null;
  const argument = given[0];
  if (argument === undefined) return { code: 0 };
  if (argument.type === 'integer') return { code: Number(argument.text) & 0xff };
  if (argument.type === 'unary_operator' && /^-\d+$/.test(argument.text)) return { code: Number(argument.text) & 0xff };
  // A text goes to stderr and the status is 1.
  return argument.type === 'string' || argument.type === 'concatenated_string' ? { code: 1 } : null;
}

function isClaimed(facet: Facet, ending: NonNullable<Ending>): boolean {
  return facet.oracles.some((oracle) => {
    if (oracle.kind !== 'exit') return false;
    const equal = 'signal' in ending ? oracle.signal === ending.signal : oracle.code === ending.code;
    return oracle.op === '==' ? equal : !equal;
  });
}
