import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '@reenact/domain';
import { assertSafePath, readTar, writeTar, type TarEntry } from './tar.js';

const entry = (path: string, text = 'x'): TarEntry => ({ path, bytes: new TextEncoder().encode(text), executable: false });
function code(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return isAppError(error) ? error.code : error;
  }
  return null;
}
/** An archive of one entry with some header bytes overwritten and its checksum made right again. */
function forged(at: number, text: string): Uint8Array {
  const bytes = Buffer.from(writeTar([entry('name')]));
  bytes.write(text, at, 'latin1');
  const sum = bytes.subarray(0, 512).reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}

describe('tar', () => {
  it('comes back as it was, for any files', () => {
    const part = fc.stringMatching(/^[a-zA-Z0-9 _é-]{1,40}$/);
    const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const file = fc.record({ path, bytes: fc.uint8Array({ maxLength: 1500 }), executable: fc.boolean() });
    fc.assert(
      fc.property(fc.uniqueArray(file, { selector: (item) => item.path, maxLength: 8 }), (files) => {
        fc.pre(files.every((item) => !files.some((other) => other.path.startsWith(`${item.path}/`))));
        const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
        expect(readTar(writeTar(files))).toEqual(sorted);
        expect(Buffer.from(writeTar(files)).equals(writeTar(files.toReversed()))).toBe(true);
      }),
    );
  });

  it('is read by the system program', () => {
    const long = `${'d'.repeat(90)}/${'e'.repeat(60)}/f.txt`;
    const listing = execFileSync('tar', ['-tvf', '-'], {
      input: writeTar([entry('a.txt', 'hello'), { ...entry(long), executable: true }]),
    }).toString();
    expect(listing).toContain('-rw-r--r-- 0/0');
    expect(listing).toContain(` 5 `);
    expect(listing).toMatch(new RegExp(`-rwxr-xr-x.* ${long}`));
  });

  it.each(['/etc/passwd', '../x', 'a/../../x', 'a//b', './a', 'a\\b', 'a\nb', ''])('refuses the path %j', (path) => {
    expect(code(() => assertSafePath(path))).toBe('bundle-invalid');
    expect(code(() => writeTar([entry(path)]))).toBe('bundle-invalid');
  });

  it('refuses paths that lead outside, links, devices, repeated paths and wrong checksums when reading', () => {
    expect(code(() => readTar(forged(0, '../x\0')))).toBe('bundle-invalid');
    expect(code(() => readTar(forged(0, '/x\0\0')))).toBe('bundle-invalid');
    for (const type of ['1', '2', '3', '6', 'x', 'L']) expect(code(() => readTar(forged(156, type)))).toBe('bundle-invalid');
    const one = writeTar([entry('name')]).subarray(0, 1024);
    expect(code(() => readTar(Buffer.concat([one, one, new Uint8Array(1024)])))).toBe('bundle-invalid');
    const broken = Buffer.from(writeTar([entry('name')]));
    broken.write('X', 0);
    expect(code(() => readTar(broken))).toBe('bundle-invalid');
    expect(code(() => readTar(one))).toBe('bundle-invalid');
    expect(code(() => readTar(writeTar([entry('name', 'y'.repeat(2000))]).subarray(0, 1024)))).toBe('bundle-invalid');
  });

  it('refuses names that the format cannot hold', () => {
    expect(code(() => writeTar([entry('n'.repeat(101))]))).toBe('bundle-invalid');
  });
});
