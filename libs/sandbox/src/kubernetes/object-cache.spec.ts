import { describe, expect, it } from 'vitest';
import { createObjectCache } from './object-cache.js';
import type { WatchedObject } from './watch-messages.js';

function object(uid: string, version: string, execution = 'x1', creationTimestamp = '2026-05-01T10:00:00Z'): WatchedObject {
  const metadata = { name: uid, uid, resourceVersion: version, labels: { 'reenact.dev/execution-id': execution }, creationTimestamp };
  return { metadata };
}

function filled(...objects: WatchedObject[]) {
  const cache = createObjectCache(() => undefined);
  const calls: string[] = [];
  const stops = ['x1', 'x2'].map((execution) => cache.subscribe(execution, () => void calls.push(execution)));
  cache.onList(objects);
  return { cache, calls, stops, names: (execution: string) => cache.of(execution).map(({ metadata }) => metadata.name) };
}

describe('cache of a watch', () => {
  it('knows what the list and the changes said, by execution and age', async () => {
    const { cache, names } = filled(
      object('b', '1', 'x1', '2026-05-01T10:00:02Z'),
      object('a', '2', 'x1', '2026-05-01T10:00:01Z'),
      object('c', '3', 'x2'),
    );
    await cache.filled;
    expect([names('x1'), names('x2'), names('x3')]).toEqual([['a', 'b'], ['c'], []]);
    cache.onChange('ADDED', object('d', '4', 'x1', '2026-05-01T10:00:03Z'));
    cache.onChange('DELETED', object('a', '5'));
    expect(names('x1')).toEqual(['b', 'd']);
  });

  it('drops on a new list what is no more, and tells those alone whose objects are others', () => {
    const { cache, calls, names } = filled(object('a', '1', 'x1'), object('c', '3', 'x2'));
    expect(calls).toEqual(['x1', 'x2']);
    cache.onList([object('a', '1', 'x1')]);
    expect([calls, names('x2')]).toEqual([['x1', 'x2', 'x2'], []]);
    cache.onList([object('a', '7', 'x1')]);
    expect(calls.slice(3)).toEqual(['x1']);
  });

  it('tells every change to the subscribers of its execution, until they leave', () => {
    const { cache, calls, stops } = filled();
    cache.onChange('ADDED', object('a', '1', 'x1'));
    cache.onChange('ADDED', object('z', '1', 'x9'));
    for (const stop of stops) stop();
    cache.onChange('MODIFIED', object('a', '2', 'x1'));
    expect(calls).toEqual(['x1']);
  });

  it('is empty and not filled until the first list', async () => {
    const cache = createObjectCache(() => undefined);
    const first = await Promise.race([cache.filled.then(() => 'filled'), Promise.resolve('not yet')]);
    expect([first, cache.of('x1')]).toEqual(['not yet', []]);
  });
});
