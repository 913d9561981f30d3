import { describe, expect, it } from 'vitest';
import { packageFolders } from './package-folders.js';

describe('folders of packages', () => {
  it.each([
    ['/envs/a/bin/python', '3.12.4', '/envs/a/lib/python3.12/site-packages'],
    ['/usr/bin/python3', '3.11.2', '/usr/lib/python3/dist-packages'],
    ['/usr/bin/python3', '3.11.2', '/usr/local/lib/python3.11/dist-packages'],
  ])('of %s %s hold %s', (interpreter, pythonVersion, expected) => {
    expect(packageFolders({ interpreter, pythonVersion })).toContain(expected);
  });
});
