/**
 * A copy of an object with the value at a path replaced; undefined takes it away. Numbers are places in lists. It is what goes over the wire: nothing is
 * shared between two places of it.
 */
export function changed(object: object, path: readonly (string | number)[], value: unknown): object {
  const copy = JSON.parse(JSON.stringify(object)) as object;
  const last = path.at(-1) ?? '';
  let inner = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) inner = (inner[step] ??= {}) as Record<string | number, unknown>;
  if (value === undefined) Reflect.deleteProperty(inner, last);
  else inner[last] = value;
  return copy;
}
