import type { EvidenceOf, Facet, Frame } from '@reenact/domain';
import { notShown, trialsOf } from '../arm-facts.js';
import { FROM_SUBJECT, has } from '../labels.js';
import { answered, linesOf, placeOf, type Rule, suspicion, type TrialEvidence } from '../rule.js';
import type { CallSite } from '../script-flow.js';

const CODE = 'sleeps-as-hang';
const WAITING =
  /^(?:time\.sleep|builtins\.input|signal\.pause|signal\.sigwait|select\.select|threading\.Event|threading\.Barrier|asyncio\.sleep)$/;

/** A hang is claimed and the script itself sleeps, loops or waits for nothing. */
export const sleepsAsHang: Rule = {
  code: CODE,
  check(input) {
    const facets = input.facets.filter(claimsHang);
    const calls = input.script.calls.filter(
      (call) => call.name !== null && WAITING.test(call.name) && !has(call.context | call.arguments, FROM_SUBJECT) && !isShort(call),
    );
    const loops = input.script.statements.filter(
      (site) => site.node.type === 'while_statement' && /^(?:True|1)$/.test(site.node.childForFieldName('condition')?.text ?? ''),
    );
    const idle = loops.filter(
      (site) =>
        !input.script.calls.some(
          (call) =>
            call.source === site.source && within(call, site.node) && has(call.callee | call.arguments | call.context, FROM_SUBJECT),
        ),
    );
    return facets.flatMap((facet) =>
      [...calls, ...idle].map((site) =>
        suspicion(CODE, 'the script itself waits', {
          ...placeOf(site),
          facet: facet.id,
          detail: linesOf(site.node),
        }),
      ),
    );
  },
  confirm(finding, input) {
    const [start, end] = [Number(finding.detail?.['startLine']), Number(finding.detail?.['endLine'])];
    const blocked = trialsOf(input, 'candidate').flatMap(blockedFrames);
    if (blocked.length === 0) return notShown(finding);
    const here = blocked.some(
      (frame) =>
        frame.place === 'script' && frame.file.split('/').at(-1) === finding.file && (frame.line ?? 0) >= start && (frame.line ?? 0) <= end,
    );
    if (here && !blocked.some((frame) => frame.place === 'subject'))
      return answered(finding, 'finding', `the script was blocked on line ${start}`);
    return answered(finding, 'refuted', 'the processes were blocked elsewhere');
  },
};

function claimsHang(facet: Facet): boolean {
  return facet.oracles.some((oracle) => oracle.kind === 'hang');
}

/** Sleeps of under ten seconds are pauses between two looks. */
function isShort(call: CallSite): boolean {
  const argument = call.node.childForFieldName('arguments')?.namedChild(0);
  return (argument?.type === 'integer' || argument?.type === 'float') && Number(argument.text) < 10;
}

function within(call: CallSite, node: { startIndex: number; endIndex: number }): boolean {
  return call.node.startIndex >= node.startIndex && call.node.endIndex <= node.endIndex;
}

/** Where processes stood when the stall was seen: the stall's own places, and all frames of their last dumps. */
function blockedFrames(trial: TrialEvidence): Frame[] {
  const stalls = trial.records.filter((record): record is EvidenceOf<'stall'> => record.kind === 'stall');
  const stacks = trial.records.filter((record): record is EvidenceOf<'stack'> => record.kind === 'stack');
  const pids = new Set(stalls.flatMap((stall) => stall.blocked.map((process) => process.pid)));
  const dumped = stacks
    .filter((stack) => stack.pid !== undefined && pids.has(stack.pid))
    .flatMap((stack) => stack.threads.flatMap((thread) => thread.frames));
  return [...stalls.flatMap((stall) => stall.blocked.flatMap((process) => process.at ?? [])), ...dumped];
}
