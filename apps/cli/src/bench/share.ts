import { InvalidArgumentError } from 'commander';

/** One of `of` shares of a list, counted from 1, so that several machines or several days take all of it together. */
export interface Share {
  number: number;
  of: number;
}

export const WHOLE: Share = { number: 1, of: 1 };
const MOST_SHARES = 100;

/** Every `of`-th entry, beginning with the `number`-th: shares are disjoint and together the whole list. */
export function shareOf<Entry>(entries: readonly Entry[], { number, of }: Share): Entry[] {
  return entries.filter((_, index) => index % of === number - 1);
}

/** Reads `2/3`. @throws InvalidArgumentError for anything that is no share. */
export function parseShare(text: string): Share {
  const [, number, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(text)?.map(Number) ?? [];
  if (number === undefined || of === undefined || number < 1 || of < number || of > MOST_SHARES)
    throw new InvalidArgumentError(`a share such as 1/2 is needed, of at most ${MOST_SHARES}.`);
  return { number, of };
}
