import { typeName } from '@reenact/domain';
import type { Claim, Clause, EvidenceRecord, Need, Oracle, Rest, VerdictState } from '@reenact/domain';
import { createEvidenceView } from '../evidence/evidence-view.js';
import { raisedBelow } from '../evidence/exception-form.js';
import { failureOf } from '../evidence/failure.js';
import { quoted } from '../grounding/figures.js';
import type { Judgement } from '../judgement/judge-input.js';
import { suspectLack, type Suspicion } from './lack-rules.js';
import { needOf } from './needs.js';

/** An attempt as it is looked at for what it lacked. */
export interface LackAttempt {
  judgement: Judgement;
  /** Where its script came from; what a generated script wants is its own idea, unless the report says so too. */
  origin: string;
  /** The first finished trial of the candidate. */
  trial: string;
  records: readonly EvidenceRecord[];
}

export interface LackQuestion {
  /** The state that the attempts alone give. */
  verdict: VerdictState;
  /** Index of the attempt that decides. */
  decidedBy: number;
  attempts: readonly LackAttempt[];
  claim: Claim;
  /** Operating system other than Linux that the report makes a condition of the symptom, or null. */
  platform: string | null;
  /** Files of the subject, relative. */
  subjectFiles: readonly string[];
}

/** Something that is missing here, which keeps an attempt from telling anything of the report. */
export interface Lack {
  need: Need;
  clauses: Clause[];
}

/** Answers that tell nothing of the subject, or a miss: only these may give way. What was shown never does. */
const OPEN: ReadonlySet<VerdictState> = new Set(['different_failure', 'inconclusive', 'not_reproduced']);
/** Types that say nothing by themselves: a claimed one may well have another message. */
const TOO_COMMON: ReadonlySet<string> = new Set(['RuntimeError', 'AssertionError', 'Exception']);
const ACCELERATORS: ReadonlySet<string> = new Set(['cuda', 'rocm', 'mps', 'tpu', 'xpu']);

/** Whether an answer may give way to `unsupported`. */
export function mayLack(verdict: VerdictState): boolean {
  return OPEN.has(verdict);
}

/**
 * What is missing on this machine, where that is why the attempts say nothing (verdict.md section 5, `unsupported`), or null. Two
 * ways: every attempt of the deciding state ended in a failure that names it; or the claim was missed on another device or operating
 * system than the report's, which must never be told as a miss (rule 4). Never where any attempt saw a claimed symptom. Pure.
 */
export function findLack(question: LackQuestion): Lack | null {
  const { verdict, attempts, decidedBy } = question;
  const decisive = attempts[decidedBy];
  if (!mayLack(verdict) || decisive === undefined) return null;
  if (attempts.some(({ judgement }) => judgement.facets.some((facet) => facet.live && facet.rate.shown > 0))) return null;
  const rivals = attempts.filter(({ judgement }) => judgement.verdict === decisive.judgement.verdict);
  const lacks = rivals.map((attempt) => lackOf(attempt, question));
  const own = lacks[rivals.indexOf(decisive)];
  if (own && lacks.every((lack) => lack?.need.reason === own.need.reason)) return own;
  return missedElsewhere(decisive, question);
}

function lackOf(attempt: LackAttempt, question: LackQuestion): Lack | null {
  const view = createEvidenceView(attempt.records);
  const failure = failureOf(view);
  const exception = view.exceptions.find(({ seq }) => seq === failure?.seq);
  if (exception === undefined) return null;
  const suspicion = suspectLack(exception.type, exception.message);
  if (suspicion === null || isClaimed(exception.type, question.claim)) return null;
  const asker = raisedBelow(exception.frames);
  if (!isAskedFor(suspicion, { ...question, asker, origin: attempt.origin })) return null;
  const count = suspicion.reason === 'hardware' ? deviceCount(question.claim) : '';
  const need = needOf(suspicion.reason, `${suspicion.what}${count}`);
  const record: Rest = { type: 'record', trial: attempt.trial, seq: exception.seq };
  const clauses: Clause[] = [
    { text: `Not possible here: ${need.reason}`, joint: '', rests: [record] },
    { text: `missing is ${need.what}`, joint: '; ', rests: [record, { type: 'claim', facet: null }] },
    { text: `trial ${attempt.trial} ended with ${quoted(firstLine(exception.message), 300)}`, joint: '; ', rests: [record] },
  ];
  return { need, clauses };
}

function firstLine(message: string): string {
  return message.split('\n').find((line) => line.trim() !== '') ?? '';
}

/** The claim may be about just such an error: then another one of its type is a collision, and no lack. */
function isClaimed(type: string, claim: Claim): boolean {
  const plain = typeName(type);
  if (TOO_COMMON.has(plain)) return false;
  const claimed = claim.facets.filter(({ stance }) => stance === 'observed').flatMap(({ oracles }) => oracles.flatMap(typesOf));
  return claimed.some((one) => typeName(one) === plain);
}

function typesOf(oracle: Oracle): readonly string[] {
  return oracle.kind === 'exception' || oracle.kind === 'import' ? oracle.types : [];
}

interface Asked extends LackQuestion {
  asker: ReturnType<typeof raisedBelow>;
  origin: string;
}

/** Whether the report or the subject asks for the thing, and not only a script that somebody has just made up. */
function isAskedFor(suspicion: Suspicion, { asker, origin, claim, subjectFiles }: Asked): boolean {
  const bySubject = asker === 'subject';
  const byReport = origin === 'report-snippet' || origin === 'report-command';
  if (suspicion.devices.length > 0) return bySubject || suspicion.devices.some((device) => claim.environment.devices.includes(device));
  if (!bySubject && !byReport) return false;
  const { name } = suspicion;
  if (name === null) return true;
  return suspicion.reason === 'dependency'
    ? !isModuleOf(name, subjectFiles)
    : suspicion.reason !== 'data' || isMissingData(name, subjectFiles);
}

function isModuleOf(name: string, files: readonly string[]): boolean {
  const top = name.split('.')[0] ?? name;
  return files.some((file) => file.split('/').some((part) => part === top || part === `${top}.py`));
}

/** A file that stands elsewhere in the subject was looked for from the wrong folder; code is never data. */
function isMissingData(path: string, files: readonly string[]): boolean {
  const base = path.split('/').at(-1) ?? path;
  if (base === '' || /\.(?:py|pyc|so|sh)$/.test(base) || /^\/(?:proc|sys|dev|usr|bin|lib)\//.test(path)) return false;
  return !files.some((file) => file.split('/').at(-1) === base);
}

function deviceCount({ worldSize }: Claim): string {
  return worldSize !== null && worldSize > 1 ? `, ${worldSize} of them as the report's processes have` : '';
}

/** A whole miss on another device or system than the one that the report speaks of. */
function missedElsewhere({ judgement }: LackAttempt, { claim, platform, verdict }: LackQuestion): Lack | null {
  const live = judgement.facets.filter((facet) => facet.live);
  if (verdict === 'different_failure' || live.length === 0 || !live.every(({ state }) => state === 'absent')) return null;
  const { devices } = claim.environment;
  const device = devices.includes('cpu') ? undefined : devices.find((one) => ACCELERATORS.has(one));
  if (device !== undefined) return missedOn(judgement, needOf('hardware', `a device of kind ${device}${deviceCount(claim)}`), 'without it');
  return platform === null ? null : missedOn(judgement, needOf('platform', platform), 'on Linux');
}

function missedOn({ rate, candidates }: Judgement, need: Need, where: string): Lack {
  const seen: Rest = { type: 'trials', arm: 'candidate', trials: candidates };
  const interval = `95 % interval ${Math.round(rate.low * 100)}–${Math.round(rate.high * 100)} %`;
  return {
    need,
    clauses: [
      { text: `Not possible here: ${need.reason}`, joint: '', rests: [{ type: 'claim', facet: null }] },
      { text: `the report is about ${need.what}`, joint: '; ', rests: [{ type: 'claim', facet: null }, { type: 'run' }] },
      { text: `${where}, ${rate.shown} of ${rate.total} fresh trials show it (${interval})`, joint: ', ', rests: [seen] },
    ],
  };
}
