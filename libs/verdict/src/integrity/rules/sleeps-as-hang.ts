import type { EvidenceOf, Facet, Frame } from '@reenact/domain';
import { notShown, shownTrials, persistence, trialsOf } from '../arm-facts.js';
import { innermostStatement } from '../flow-queries.js';
import { FROM_SUBJECT, has } from '../labels.js';
import { answered, suspicion, type ConfirmInput, type Rule, type TrialEvidence } from '../rule.js';
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
          file: site.source.file.path,
          line: site.node.startPosition.row + 1,
          facet: facet.id,
          detail: { startLine: site.node.startPosition.row + 1, endLine: site.node.endPosition.row + 1 },
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
    const persists = persistence(input, finding.facet);
    if (here && !blocked.some((frame) => frame.place === 'subject'))
      return answered(finding, 'finding', `the script was blocked on line ${start}${persists === null ? '' : `; ${persists}`}`);
    return answered(finding, 'refuted', 'the processes were blocked elsewhere');
  },
  observe(input) {
    return input.facets.filter(claimsHang).flatMap((facet) => {
      const trials = shownTrials(input, facet.id).filter((trial) => blockedFrames(trial).length > 0);
      const trial = trials.find((candidate) => blocksItself(candidate, input));
      if (trial === undefined) return [];
      return [
        {
          rule: CODE,
          level: 'finding' as const,
          message: 'every blocked process waits in code of the script that does not involve the subject',
          facet: facet.id,
          evidence: `trial ${trial.judged.trial}`,
        },
      ];
    });
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

function blocksItself(trial: TrialEvidence, input: ConfirmInput): boolean {
  const frames = blockedFrames(trial);
  const own = frames.filter((frame) => frame.place === 'script');
  if (own.length === 0 || frames.some((frame) => frame.place === 'subject')) return false;
  return own.every((frame) => {
    const source = input.script.sources.find((candidate) => candidate.file.path === frame.file.split('/').at(-1));
    const statement = source === undefined ? null : innermostStatement(source, frame.line ?? 0);
    if (source === undefined || statement === null) return false;
    const calls = input.script.calls.filter((call) => call.source === source && within(call, statement));
    return (
      !calls.some((call) => has(call.callee | call.arguments | call.context, FROM_SUBJECT)) &&
      !has(input.script.labelsOf(statement, source), FROM_SUBJECT)
    );
  });
}
