import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { shortId } from '@reenact/domain';
import { mapLimited } from '@reenact/store';

/** Rows of a bench that are done, one JSON line each, so that a bench that was killed can go on. */
export interface RowLog<Row> {
  /** Rows of an earlier start, by key; empty unless they were asked for. */
  earlier: ReadonlyMap<string, Row>;
  add(key: string, row: Row): Promise<void>;
  /** The bench is through: nothing is left to go on with. */
  finish(): Promise<void>;
}

/**
 * Opens the log of a bench in the state directory; another question has another log.
 * @param asked name of the bench and everything that decides its rows.
 * @param options `resume`: rows of an earlier start with the same question are taken as they are, else they are forgotten.
 */
export async function openRowLog<Row>(
  stateDirectory: string,
  asked: { bench: string } & Record<string, unknown>,
  options: { resume: boolean },
): Promise<RowLog<Row>> {
  const file = path.join(stateDirectory, 'bench', `${asked.bench}-${shortId(asked)}.jsonl`);
  await mkdir(path.dirname(file), { recursive: true });
  if (!options.resume) await rm(file, { force: true });
  const earlier = new Map<string, Row>();
  for (const line of (await readFile(file, 'utf8').catch(() => '')).split('\n')) {
    const entry = parseLine<Row>(line);
    if (entry !== null) earlier.set(entry.key, entry.row);
  }
  return {
    earlier,
    // a line that a kill cut off must not swallow the next one
    add: (key, row) => appendFile(file, `\n${JSON.stringify({ key, row })}`),
    finish: () => rm(file, { force: true }),
  };
}

/** What each row of a bench is made of. */
export interface RowWork<Question, Row> {
  /** Rows under way at once. */
  width: number;
  log: RowLog<Row>;
  keyOf: (question: Question) => string;
  make: (question: Question) => Promise<Row>;
  onRow: (row: Row, done: number, total: number) => void;
}

/** Makes a row for every question, in their order; those that an earlier start made are taken from the log. */
export async function makeRows<Question, Row>(questions: readonly Question[], work: RowWork<Question, Row>): Promise<Row[]> {
  let done = 0;
  return mapLimited(questions, work.width, async (question) => {
    const key = work.keyOf(question);
    const earlier = work.log.earlier.get(key);
    const row = earlier ?? (await work.make(question));
    if (earlier === undefined) await work.log.add(key, row);
    work.onRow(row, (done += 1), questions.length);
    return row;
  });
}

function parseLine<Row>(line: string): { key: string; row: Row } | null {
  try {
    const value = JSON.parse(line) as { key?: unknown; row?: unknown };
    return typeof value.key === 'string' && value.row !== undefined ? { key: value.key, row: value.row as Row } : null;
  } catch {
    return null;
  }
}
