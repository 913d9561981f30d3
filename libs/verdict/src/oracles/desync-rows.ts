import type { EvidenceOf, OracleOf } from '@reenact/domain';
import type { EvidenceView } from '../evidence/evidence-view.js';
import { cutNote, wasCut, withoutSignal } from './missing-signal.js';
import { answer, groundedIn, type OracleAnswer } from './oracle-answer.js';

type Asked = Pick<OracleOf<'desync'>, 'ranks' | 'rows'>;
type Rows = EvidenceOf<'rows'> & { rank: number };

const MOST_GROUNDED = 8;
const MOST_NAMED = 3;

/** The last word of every rank about every pass of every loader, pass by pass. */
function passesOf(view: EvidenceView): Rows[][] {
  const latest = new Map<string, Map<string, Rows>>();
  const records = view.records.filter((record): record is Rows => record.kind === 'rows' && record.rank !== undefined);
  for (const record of records) {
    const key = JSON.stringify([record.step ?? null, record.loader, record.epoch]);
    const pass = latest.get(key) ?? new Map<string, Rows>();
    pass.set(`${record.rank}/${record.pid ?? ''}`, record);
    latest.set(key, pass);
  }
  return [...latest.values()].map((pass) => [...pass.values()].toSorted((left, right) => left.rank - right.rank));
}

function describe({ rank, loader, epoch, count, first }: Rows): string {
  return `rank ${rank}, loader ${loader}, pass ${epoch + 1}: ${count} rows, ${first.slice(0, 8).join(', ')}${count > 8 ? ' …' : ''}`;
}

function placeOf(pass: readonly Rows[]): string {
  return `in pass ${(pass[0]?.epoch ?? 0) + 1} of loader ${pass[0]?.loader ?? 0}`;
}

/** Where ranks that must read the same rows part; a shorter order that is the beginning of a longer one does not differ. */
function apart(pass: readonly Rows[]): string | null {
  const [reference, ...others] = pass;
  for (const other of others) {
    const common = Math.min(reference?.first.length ?? 0, other.first.length);
    const index = other.first.findIndex((row, at) => at < common && row !== reference?.first[at]);
    if (index !== -1) return `${placeOf(pass)} ranks ${reference?.rank ?? 0} and ${other.rank} part at row ${index + 1} of their order`;
    if (reference?.count === other.count && reference.sha256 !== other.sha256)
      return `${placeOf(pass)} ranks ${reference.rank} and ${other.rank} part after the first ${common} rows`;
  }
  return null;
}

/** Rows that more than one rank reads, beyond the few by which a sampler fills up the last round. */
function shared(pass: readonly Rows[]): string | null {
  const readers = new Map<number, Set<number>>();
  for (const { rank, first } of pass) for (const row of first) readers.set(row, (readers.get(row) ?? new Set<number>()).add(rank));
  const twice = [...readers].filter(([, ranks]) => ranks.size > 1).map(([row]) => row);
  if (twice.length <= pass.length - 1) return null;
  const named = twice.slice(0, MOST_NAMED).join(', ');
  return `${placeOf(pass)} ranks ${pass.map(({ rank }) => rank).join(', ')} read ${twice.length} of ${readers.size} rows more than once, first ${named}`;
}

function judgePass(pass: readonly Rows[], ranks: number, rows: 'same' | 'disjoint'): OracleAnswer | null {
  const grounding = pass.slice(0, MOST_GROUNDED).map((record) => groundedIn(record.seq, describe(record)));
  const seen = new Set(pass.map(({ rank }) => rank)).size;
  if (seen !== pass.length) return answer('undecided', grounding, 'a rank reads in more than one process');
  if (seen !== ranks) return answer('undecided', grounding, `${placeOf(pass)} ${seen} of ${ranks} ranks read`);
  const found = rows === 'same' ? apart(pass) : shared(pass);
  if (found !== null) return answer('shown', grounding, found);
  const isWhole = pass.every(({ count, first }) => count === first.length);
  return isWhole || rows === 'same' ? null : answer('undecided', grounding, `${placeOf(pass)} more rows were read than are recorded`);
}

/** Shown where ranks that must read the same rows read others, or ranks that must share the rows out read the same. */
export function evaluateRows({ ranks: asked, rows }: Asked, view: EvidenceView): OracleAnswer {
  const passes = passesOf(view);
  const all = passes.flat();
  const first = all.slice(0, 2).map((record) => groundedIn(record.seq, describe(record)));
  if (rows === undefined) return answer('undecided', first, 'it is not said whether ranks have to read the same rows or others');
  if (all.length === 0) return withoutSignal(view, answer('undecided', [], 'no order of rows was recorded'));
  const seen = new Set(all.map(({ rank }) => rank)).size;
  const ranks = asked ?? Math.max(2, seen);
  if (seen !== ranks) return withoutSignal(view, answer('undecided', first, `${seen} of ${ranks} ranks read rows`));
  const answers = passes.flatMap((pass) => judgePass(pass, ranks, rows) ?? []);
  const decided = answers.find(({ state }) => state === 'shown') ?? answers[0];
  if (decided) return decided.state === 'undecided' ? withoutSignal(view, decided) : decided;
  return wasCut(view) ? answer('undecided', first, cutNote(view)) : answer('absent', first);
}
