import type { ChunkFilter, ChunkPlace } from '@reenact/domain';

const TEST_FOLDER = /(?:^|\/)(?:tests?|unit_?tests?)\//i;
const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_tests?|conftest)\.pyw?$/i;

/**
 * Whether a file belongs to a project's tests, by its path alone: `test_x.py`, `x_test.py`, `conftest.py`, and everything below a
 * folder `test`, `tests` or `unittests`. A plain `test.py` is no test: in training projects it is the evaluation script.
 */
export function isTestFile(file: string): boolean {
  return TEST_FOLDER.test(file) || TEST_FILE.test(file);
}

/** Whether a file passes a filter's `paths` and `withoutTests`; a path is a file, or a folder with everything below. */
export function passesFileFilter(file: string, filter: ChunkFilter): boolean {
  if (filter.withoutTests === true && isTestFile(file)) return false;
  return filter.paths?.some((path) => path === '' || file === path || file.startsWith(`${path}/`)) ?? true;
}

/** Whether a chunk passes a filter; without one every chunk does. A list that is there but empty lets nothing pass. */
export function passesFilter(place: Pick<ChunkPlace, 'file' | 'kind'>, filter: ChunkFilter | undefined): boolean {
  if (filter === undefined) return true;
  return (filter.kinds?.includes(place.kind) ?? true) && passesFileFilter(place.file, filter);
}
