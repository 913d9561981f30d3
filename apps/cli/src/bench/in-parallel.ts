/** Does the work on every value, at most `width` at once, in their order. */
export async function inParallel<T>(values: readonly T[], width: number, work: (value: T, index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < values.length; index = next++) await work(values[index] as T, index);
  };
  await Promise.all(Array.from({ length: Math.max(1, width) }, lane));
}
