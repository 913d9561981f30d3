import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAppError } from '@reenact/domain';
import { applyHunks } from './apply-hunks.js';
import { applyPatch } from './apply-patch.js';
import { parsePatch } from './patch-text.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'patch-spec-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

async function put(path: string, text: string | Buffer): Promise<void> {
  await mkdir(dirname(join(directory, path)), { recursive: true });
  await writeFile(join(directory, path), text);
}
const get = (path: string): Promise<string> => readFile(join(directory, path), 'utf8');
async function failure(patch: string, at = directory): Promise<string> {
  const error: unknown = await applyPatch(at, patch).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(isAppError(error) && error.code).toBe('patch-does-not-apply');
  return (error as Error).message;
}

const SIMPLE = '--- a/project/x.py\n+++ b/project/x.py\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n';

describe('applyPatch', () => {
  it('strips one part beside the project folder and two inside it', async () => {
    await put('project/x.py', 'a\nb\nc\n');
    expect(await applyPatch(directory, SIMPLE)).toEqual(['project/x.py']);
    expect(await get('project/x.py')).toBe('a\nB\nc\n');
    await put('project/x.py', 'a\nb\nc\n');
    expect(await applyPatch(join(directory, 'project'), SIMPLE)).toEqual(['x.py']);
    expect(await get('project/x.py')).toBe('a\nB\nc\n');
  });

  it('takes one strip that fits every file', async () => {
    await put('x.py', 'a\nb\nc\n');
    await put('lib/y.py', 'a\nb\nc\n');
    const patch = SIMPLE + SIMPLE.replaceAll('project/x.py', 'project/lib/y.py');
    expect(await applyPatch(directory, patch)).toEqual(['lib/y.py', 'x.py']);
  });

  it('applies at an offset but not with fuzz', async () => {
    await put('project/x.py', 'new\nnew\na\nb\nc\n');
    await applyPatch(directory, SIMPLE);
    expect(await get('project/x.py')).toBe('new\nnew\na\nB\nc\n');
    await put('project/x.py', 'a\nb\nCHANGED\n');
    expect(await failure(SIMPLE)).toContain('project/x.py: hunk 1');
  });

  it('makes, deletes and renames files, and sets the mode', async () => {
    await put('old.py', 'one\n');
    await put('gone.py', 'x\n');
    const patch = [
      'diff --git a/tools/new.sh b/tools/new.sh',
      'new file mode 100755',
      '--- /dev/null',
      '+++ b/tools/new.sh',
      '@@ -0,0 +1 @@',
      '+echo',
      '\\ No newline at end of file',
      'diff --git a/gone.py b/gone.py',
      'deleted file mode 100644',
      '--- a/gone.py',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-x',
      'diff --git a/old.py b/named.py',
      'similarity index 100%',
      'rename from old.py',
      'rename to named.py',
      '',
    ].join('\n');
    expect(await applyPatch(directory, patch)).toEqual(['gone.py', 'named.py', 'old.py', 'tools/new.sh']);
    expect(await get('tools/new.sh')).toBe('echo');
    expect((await stat(join(directory, 'tools/new.sh'))).mode & 0o111).toBe(0o111);
    expect(await get('named.py')).toBe('one\n');
    await expect(stat(join(directory, 'gone.py'))).rejects.toThrow();
  });

  it('keeps CR LF ends of the file when the patch has plain ones', async () => {
    await put('project/x.py', 'a\r\nb\r\nc\r\n');
    await applyPatch(directory, SIMPLE);
    expect(await get('project/x.py')).toBe('a\r\nB\r\nc\r\n');
  });

  it('leaves bytes that are not UTF-8 as they are', async () => {
    await put('project/x.py', Buffer.from([0x61, 0x0a, 0x62, 0x0a, 0x63, 0x0a, 0xff, 0xe9, 0x0a]));
    await applyPatch(directory, SIMPLE);
    expect(await readFile(join(directory, 'project/x.py'))).toEqual(Buffer.from([0x61, 0x0a, 0x42, 0x0a, 0x63, 0x0a, 0xff, 0xe9, 0x0a]));
  });

  it('writes nothing when a later file does not fit', async () => {
    await put('project/x.py', 'a\nb\nc\n');
    await put('project/y.py', 'other\n');
    await failure(SIMPLE + SIMPLE.replaceAll('x.py', 'y.py'));
    expect(await get('project/x.py')).toBe('a\nb\nc\n');
  });

  it.each(['../x.py', 'a/../../x.py', '/etc/x.py', 'a/.git/hooks/x'])('refuses the path %s', async (path) => {
    expect(await failure(`--- /dev/null\n+++ ${path}\n@@ -0,0 +1 @@\n+x\n`)).toContain('may not be patched');
  });

  it('does not write through a link that leads outside', async () => {
    await put('inner/keep.txt', 'k');
    await symlink(tmpdir(), join(directory, 'inner/out'));
    expect(await failure('--- /dev/null\n+++ b/out/escape.py\n@@ -0,0 +1 @@\n+x\n', join(directory, 'inner'))).toContain('leads outside');
  });

  it('refuses texts that are no patch, binary patches and cut hunks', async () => {
    await put('x', 'a\n');
    await failure('hello\n');
    await failure('diff --git a/x b/x\nGIT binary patch\n');
    await failure('--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n a\n');
    await failure('--- a/absent\n+++ b/absent\n@@ -1 +1 @@\n-a\n+b\n');
  });

  it('reads names that git quotes', async () => {
    await put('ü b.py', 'a\n');
    await applyPatch(directory, '--- "a/\\303\\274 b.py"\n+++ "b/\\303\\274 b.py"\n@@ -1 +1 @@\n-a\n+é\n');
    expect(await get('ü b.py')).toBe('é\n');
  });
});

/** A diff of two line lists with one hunk per changed stretch, context as given; the oracle of the property below. */
function diffOf(
  before: string[],
  edits: { at: number; remove: number; add: string[] }[],
  context: number,
): { patch: string; after: string[] } {
  const after: string[] = [];
  let patch = '--- a/f\n+++ b/f\n';
  let cursor = 0;
  for (const edit of edits) {
    const lead = before.slice(Math.max(cursor, edit.at - context), edit.at);
    const tail = before.slice(edit.at + edit.remove, edit.at + edit.remove + context);
    const removed = before.slice(edit.at, edit.at + edit.remove);
    after.push(...before.slice(cursor, edit.at), ...edit.add);
    cursor = edit.at + edit.remove;
    const oldCount = lead.length + removed.length + tail.length;
    const start = edit.at - lead.length + (oldCount > 0 ? 1 : 0);
    patch += `@@ -${start},${oldCount} +1,${lead.length + edit.add.length + tail.length} @@\n`;
    patch += [...lead.map((l) => ` ${l}`), ...removed.map((l) => `-${l}`), ...edit.add.map((l) => `+${l}`), ...tail.map((l) => ` ${l}`)]
      .map((l) => `${l}\n`)
      .join('');
  }
  after.push(...before.slice(cursor));
  return { patch, after };
}

describe('applyHunks', () => {
  it('turns a text into the edited text for any edit, at any offset', () => {
    const line = fc.stringMatching(/^[a-c \\@+-]{0,6}$/);
    const scenario = fc.record({
      // Numbered lines are all different, so that an offset has one right answer.
      size: fc.integer({ min: 1, max: 40 }),
      cuts: fc.array(
        fc.record({ gap: fc.integer({ min: 4, max: 9 }), remove: fc.integer({ min: 0, max: 3 }), add: fc.array(line, { maxLength: 3 }) }),
        { maxLength: 4 },
      ),
      shift: fc.array(fc.constant('shifted'), { maxLength: 5 }),
    });
    fc.assert(
      fc.property(scenario, ({ size, cuts, shift }) => {
        const before = Array.from({ length: size }, (_, index) => `line ${index}`);
        const edits: { at: number; remove: number; add: string[] }[] = [];
        let at = 0;
        for (const cut of cuts) {
          at += cut.gap;
          if (at + cut.remove > size) break;
          edits.push({ at, remove: cut.remove, add: cut.add });
          at += cut.remove;
        }
        const { patch, after } = diffOf(before, edits, 2);
        const hunks = parsePatch(patch)[0]?.hunks ?? [];
        const shifted = [...shift, ...before].map((text) => `${text}\n`).join('');
        expect(applyHunks('f', shifted, hunks).text).toBe([...shift, ...after].map((text) => `${text}\n`).join(''));
      }),
    );
  });

  it('tells which lines go and come', () => {
    const hunks = parsePatch('--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+C\n c\n')[0]?.hunks ?? [];
    expect(applyHunks('f', 'a\nb\nc\n', hunks)).toMatchObject({ removedLines: [2], addedLines: [2, 3] });
  });
});
