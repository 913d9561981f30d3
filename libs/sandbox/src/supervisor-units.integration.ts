import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const directory = fileURLToPath(new URL('../supervisor', import.meta.url));

describe('supervisor', () => {
  it('passes its own unit tests', async () => {
    const { stderr } = await promisify(execFile)('python3', ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'], { cwd: directory });
    expect(stderr).toMatch(/Ran \d\d+ tests[\s\S]*OK/);
  });
});
