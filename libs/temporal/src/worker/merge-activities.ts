import { AppError } from '@reenact/domain';

/** Any activity function; its types are checked where a workflow proxies it. */
export type ActivityFunction = (...args: never[]) => Promise<unknown>;
export type ActivityMap = Readonly<Record<string, ActivityFunction>>;

/**
 * Joins the activities of several stage libraries.
 * @throws AppError `internal` when two of them have the same name.
 */
export function mergeActivities(...maps: readonly object[]): ActivityMap {
  const merged: Record<string, ActivityFunction> = {};
  for (const [name, activity] of maps.flatMap((map) => Object.entries(map))) {
    if (Object.hasOwn(merged, name)) throw new AppError('internal', `Two activities are called ${name}.`);
    merged[name] = activity as ActivityFunction;
  }
  return merged;
}
