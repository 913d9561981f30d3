import { LABELS } from './labels.js';
import type { WatchListener } from './kube-watch.js';
import type { WatchedObject } from './watch-messages.js';

/** All objects of one kind that a watch knows, found by their execution. */
export interface ObjectCache extends WatchListener {
  /** Resolves when the first list has come. */
  readonly filled: Promise<void>;
  /** Objects of an execution, the oldest first. */
  of(execution: string): WatchedObject[];
  /** Calls back after each change of an execution's objects, until the returned function is called. */
  subscribe(execution: string, onChange: () => void): () => void;
}

/**
 * A cache that a watch fills. Its subscribers are called in turn; what one of them throws is thrown on, and the watch then lists anew.
 *
 * @param onProblem what failed in the watch; it goes on by itself.
 */
export function createObjectCache(onProblem: (error: unknown) => void): ObjectCache {
  const objects = new Map<string, WatchedObject>();
  const subscribers = new Map<string, Set<() => void>>();
  const { promise: filled, resolve: fill } = Promise.withResolvers<void>();
  const tell = (execution: string): void => {
    for (const subscriber of [...(subscribers.get(execution) ?? [])]) subscriber();
  };
  return {
    filled,
    onList(list) {
      fill();
      const before = new Map(objects);
      objects.clear();
      for (const object of list) objects.set(object.metadata.uid, object);
      const touched = [...before.values(), ...list].filter(
        ({ metadata }) => before.get(metadata.uid)?.metadata.resourceVersion !== objects.get(metadata.uid)?.metadata.resourceVersion,
      );
      for (const execution of new Set(touched.map(executionOf))) tell(execution);
    },
    onChange(type, object) {
      if (type === 'DELETED') objects.delete(object.metadata.uid);
      else objects.set(object.metadata.uid, object);
      tell(executionOf(object));
    },
    onProblem,
    of: (execution) => [...objects.values()].filter((object) => executionOf(object) === execution).sort(byAge),
    subscribe(execution, onChange) {
      const own = subscribers.get(execution) ?? new Set();
      subscribers.set(execution, own.add(onChange));
      return () => {
        own.delete(onChange);
        if (own.size === 0) subscribers.delete(execution);
      };
    },
  };
}

function executionOf({ metadata }: WatchedObject): string {
  return metadata.labels?.[LABELS.execution] ?? '';
}

function byAge(one: WatchedObject, other: WatchedObject): number {
  const [left, right] = [ageOf(one), ageOf(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function ageOf({ metadata }: WatchedObject): string {
  const { creationTimestamp } = metadata as { creationTimestamp?: unknown };
  return `${typeof creationTimestamp === 'string' ? creationTimestamp : ''} ${metadata.uid}`;
}
