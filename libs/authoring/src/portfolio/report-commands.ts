import type { Candidate, Claim, LaunchStep, Report } from '@reenact/domain';
import type { CommandMention } from './command-mention.js';
import { findMentions } from './command-mention.js';
import { repairArguments } from './entry-arguments.js';
import { buildCandidate, buildLaunch, withoutDuplicates } from './launch-building.js';
import { polarityOf } from './mention-polarity.js';
import type { Polarity } from './mention-polarity.js';
import { settleArguments } from './placeholder-arguments.js';
import type { ProgramCall } from './program.js';
import { readProgram } from './program.js';
import { againItems, ordersAgain, repeatsAfter, tellsOfSecondStart } from './repeat-words.js';
import { splitCommands } from './shell-words.js';
import type { SubjectTree } from './subject-tree.js';

export interface ReportMaterial {
  report: Report;
  claim: Claim;
  tree: SubjectTree;
}

/** One mention with what it starts. */
interface ReadMention {
  mention: CommandMention;
  polarity: Polarity;
  steps: LaunchStep[];
  env: Record<string, string>;
  repairs: string[];
  /** Entry point and arguments of the first step: what a contrast compares. */
  entry: string;
  origin: Candidate['origin'];
  scripts: { path: string; text: string }[];
}

const MAX_STEPS = 20;
const MAX_CANDIDATES = 8;
/** Verbs and words that tell two phases (write, then read back) from a contrast (this works, that fails). */
const PRODUCES =
  /\b(?:writes?|wrote|saves?|saved|creates?|produces?|generates?|stores?|dumps?|exports?|trains? (?:it|the|a|once)|written|prepares?|builds?)\b/i;
const PHASE_WORDS =
  /\b(?:start|resume|train|eval|evaluate|test|save|load|export|import|restore|continue|infer|inference|predict|fit|init|prepare|build|pretrain|finetune|convert|serve|sample|generate)\b/i;

/**
 * Candidates from the commands that a report names, best first: the numbered or connected steps as one candidate, the
 * failing side of a contrast alone, single commands. Commands under an expectation, a guess or a workaround give none.
 */
export function proposeCommands(material: ReportMaterial): Candidate[] {
  const mentions = findMentions(material.report);
  const usable = readMentions(mentions, 'usable', material);
  const read = usable.length > 0 ? usable : readMentions(mentions, 'guess', material);
  const groups = [...Map.groupBy(read, ({ mention }) => mention.group).values()];
  const variants = [...groups.flatMap((group) => groupVariants(group)), ...secondStart(read, material.report)];
  const failing = variants.filter(({ items }) => !items.every(({ polarity }) => polarity === 'good'));
  const candidates = orderVariants(failing.length > 0 ? failing : variants).map((variant) => toCandidate(variant, material));
  return withoutDuplicates(candidates).slice(0, MAX_CANDIDATES);
}

function readMentions(mentions: CommandMention[], standing: CommandMention['standing'], material: ReportMaterial): ReadMention[] {
  return mentions
    .filter((mention) => mention.standing === standing)
    .map((mention) => readMention(mention, material))
    .filter((item): item is ReadMention => item !== null);
}

interface Variant {
  items: ReadMention[];
  extra: LaunchStep[];
  why: string;
}

/** Both readings of a group, the likelier first. */
function groupVariants(group: ReadMention[]): Variant[] {
  const items = collapseEqual(group);
  const good = items.filter(({ polarity }) => polarity === 'good');
  const bad = items.filter(({ polarity }) => polarity === 'bad');
  const sequence: Variant = { items, extra: [], why: items.length > 1 ? 'commands in the order of the report' : 'command of the report' };
  if (items.length === 1) return [sequence];
  if (good.length === 0 || bad.length === 0 || good.length + bad.length < 2) {
    return isConnected(items) ? [sequence] : [...items.map((item) => single(item)), sequence];
  }
  const failing: Variant = { items: items.filter(({ polarity }) => polarity !== 'good'), extra: [], why: 'failing side of a contrast' };
  return isPhases(good, bad) ? [sequence, failing] : [failing, sequence];
}

function single(item: ReadMention): Variant {
  return { items: [item], extra: [], why: 'command of the report' };
}

/** Equal commands that only name the way to run again are one step; in lists and blocks each line counts. */
function collapseEqual(group: ReadMention[]): ReadMention[] {
  return group.filter((item, index) => {
    if (item.mention.place !== 'inline') return true;
    const earlier = group.slice(0, index).some((other) => JSON.stringify(other.steps[0]) === JSON.stringify(item.steps[0]));
    return !earlier || /\b(?:then|again|second)\b[^.]{0,40}$/i.test(item.mention.before);
  });
}

function isConnected(items: ReadMention[]): boolean {
  if (items.every(({ mention }) => mention.place !== 'inline')) return true;
  const between = items.slice(1).map(({ mention }) => mention.before);
  return (
    between.every((text) => /\b(?:then|after(?:wards| that)?|followed by|next|finally|and|before)\b|\d[.)]\s*$/i.test(text)) ||
    isPhases(items.slice(0, -1), items.slice(-1))
  );
}

function isPhases(first: ReadMention[], later: ReadMention[]): boolean {
  const all = [...first, ...later];
  if (first.some(({ mention }) => PRODUCES.test(mention.after.slice(0, 160)))) return true;
  const entries = new Set(all.map((item) => item.entry.split(' ')[0]));
  // One program with other values, such as a world size, is a contrast; another word, such as `resume`, is a phase.
  if (entries.size === 1) return differsByWord(first, later);
  return all.filter((item) => PHASE_WORDS.test(item.entry.replace(/[/._-]+/g, ' '))).length > 1;
}

/** True when the commands differ in a phase word and not only in a value. */
function differsByWord(first: ReadMention[], later: ReadMention[]): boolean {
  const words = (items: ReadMention[]): string[] => items.flatMap((item) => item.entry.split(' ').slice(1));
  const early = new Set(words(first));
  return words(later).some((word) => !early.has(word) && PHASE_WORDS.test(word));
}

/** A report with one command that tells of a second start: the command, and the same once more. */
function secondStart(read: ReadMention[], report: Report): Variant[] {
  const commands = new Set(read.map((item) => JSON.stringify(item.steps)));
  const [first] = read;
  if (!first || commands.size !== 1 || first.steps.length !== 1 || !tellsOfSecondStart(report.text)) return [];
  return [{ items: [first], extra: [first.steps[0]!], why: 'command of the report, and the same once more' }];
}

/** Steps that a list orders come first, then longer readings of the same commands, then the order of the text. */
function orderVariants(variants: Variant[]): Variant[] {
  const rank = ({ items, why }: Variant): number => {
    if (why.includes('once more')) return 0;
    if (items.some(({ mention }) => mention.place === 'step') && items.length > 1) return 0;
    return items.some(({ polarity, mention }) => polarity === 'bad' || mention.place !== 'inline') ? 1 : 2;
  };
  return variants
    .map((variant, index) => ({ variant, index, rank: rank(variant) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ variant }) => variant);
}

function toCandidate(variant: Variant, { claim }: ReportMaterial): Candidate {
  const steps = [...variant.items.flatMap((item) => item.steps), ...variant.extra].slice(0, MAX_STEPS);
  const env = Object.assign({}, ...variant.items.map((item) => item.env)) as Record<string, string>;
  const spans = variant.items.map(({ mention }) => `${mention.start}-${mention.end}`).join(', ');
  return buildCandidate({
    origin: variant.items[0]!.origin,
    files: variant.items
      .flatMap((item) => item.scripts)
      .filter((file, index, all) => all.findIndex(({ path }) => path === file.path) === index),
    launch: buildLaunch(steps, env, claim),
    source: `${variant.why}, characters ${spans}`,
    repairs: [...new Set(variant.items.flatMap((item) => item.repairs))],
  });
}

function readMention(mention: CommandMention, material: ReportMaterial): ReadMention | null {
  const calls = splitCommands(mention.text)
    .map((command) => readProgram(command, material.tree))
    .filter((call): call is ProgramCall => call !== null);
  const built = withoutPeers(calls)
    .map((call) => buildStep(call, material))
    .filter((step): step is BuiltStep => step !== null);
  const [first] = built;
  if (!first) return null;
  const repeats = built.length === 1 ? repeatsAfter(mention.after) + againItems(mention.after) : 1;
  const again = repeats > 1 && ordersAgain(mention.after) && repeats === 2;
  const steps =
    built.length === 1
      ? Array.from({ length: repeats }, () => ({ ...first.step, continueOnError: repeats > 1 && !again }))
      : continueEqualSteps(built.map(({ step }) => step));
  return {
    mention,
    polarity: polarityOf(mention.before, mention.after),
    steps,
    env: Object.assign({}, ...built.map(({ env }) => env)) as Record<string, string>,
    repairs: built.flatMap(({ repairs }) => repairs),
    entry: [first.entry, ...first.step.argv.slice(2)].join(' '),
    origin: first.script ? 'report-snippet' : 'report-command',
    scripts: built.flatMap(({ script }) => (script ? [script] : [])),
  };
}

/** A step that a loop repeats goes on after an error: the runs are independent. */
function continueEqualSteps(steps: LaunchStep[]): LaunchStep[] {
  return steps.map((step, index) => ({
    ...step,
    continueOnError: [steps[index - 1], steps[index + 1]].some((other) => JSON.stringify(other?.argv) === JSON.stringify(step.argv)),
  }));
}

/** Ranks that a report starts one by one are copies of one step. */
function withoutPeers(calls: ProgramCall[]): ProgramCall[] {
  const words = ({ target, args }: ProgramCall): string => JSON.stringify([target, args]);
  return calls.filter(
    (call, index) => !call.oneOfRanks || calls.findIndex((other) => other.oneOfRanks && words(other) === words(call)) === index,
  );
}

interface BuiltStep {
  step: LaunchStep;
  env: Record<string, string>;
  repairs: string[];
  entry: string;
  script: { path: string; text: string } | null;
}

function buildStep(call: ProgramCall, { tree, report }: ReportMaterial): BuiltStep | null {
  const settled = settleArguments(call.args, call.directory, tree);
  if (settled === null) return null;
  const repairs = [...call.repairs, ...settled.repairs];
  const base = { env: call.env, script: null };
  const argv = (words: string[]): LaunchStep => ({
    argv: ['python', ...call.interpreterOptions, ...words],
    ranks: call.ranks,
    continueOnError: false,
  });
  const { target } = call;
  if (target.type === 'module') return { ...base, step: argv(['-m', target.name, ...settled.args]), repairs, entry: target.name };
  if (target.type === 'inline') {
    const script = { path: 'inline.py', text: `${target.text}\n` };
    return { ...base, script, step: argv([`@script/${script.path}`, ...settled.args]), repairs, entry: script.path };
  }
  if (target.type === 'unknown-file') return null;
  const completed = repairArguments(tree.read(target.path) ?? '', settled.args, report.text);
  if (call.directory !== '.' && target.path.startsWith(`${call.directory}/`)) repairs.push(`\`cd ${call.directory}\` became a path`);
  return { ...base, step: argv([target.path, ...completed.args]), repairs: [...repairs, ...completed.repairs], entry: target.path };
}
