import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { billOfMaterials, pythonPackages } from './bill-of-materials.js';
import { installedPackages } from './debian-packages.js';

const DIGEST = 'ab'.repeat(32);
let scratch = '';
beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'bill-'));
  await mkdir(path.join(scratch, 'var/lib/dpkg'), { recursive: true });
  await mkdir(path.join(scratch, 'Some_Name-1.0.dist-info'));
  await writeFile(path.join(scratch, 'Some_Name-1.0.dist-info', 'RECORD'), 'a,b,c\n');
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe('the bill of materials', () => {
  it('names every package with its place in its index', () => {
    const bill = billOfMaterials({
      name: 'a/b:1',
      debian: [{ name: 'libc6', version: '2:1+b~1', architecture: 'amd64' }],
      python: [{ name: 'Some_Name', version: '1.0', recordSha256: DIGEST, lockedSha256: [DIGEST] }],
      npm: [{ name: '@a/b', version: '3.0.0' }],
    });
    expect(bill).toMatchObject({ spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT', dataLicense: 'CC0-1.0' });
    const text = JSON.stringify(bill);
    for (const purl of ['pkg:deb/debian/libc6@2%3A1%2Bb~1?arch=amd64', 'pkg:pypi/some-name@1.0', 'pkg:npm/%40a/b@3.0.0']) {
      expect(text).toContain(purl);
    }
    expect(text).toContain(`"checksums":[{"algorithm":"SHA256","checksumValue":"${DIGEST}"}]`);
  });

  it('has ids that are valid and different, whatever the names', () => {
    const npm = ['a_b', 'a-b', 'a b', '@a/b', 'é'].map((name) => ({ name, version: '1' }));
    const { packages } = billOfMaterials({ name: 'x', debian: [], python: [], npm }) as { packages: { SPDXID: string }[] };
    const ids = packages.map(({ SPDXID }) => SPDXID);
    expect(new Set(ids).size).toBe(npm.length + 1);
    expect(ids.filter((id) => !/^SPDXRef-[A-Za-z0-9.-]+$/.test(id))).toEqual([]);
  });

  it('reads hashes from a lock, and records beside a distribution', async () => {
    const other = 'cd'.repeat(32);
    const lock = `some-name==1.0 \\\n    --hash=sha256:${DIGEST} \\\n    --hash=sha256:${other}\nother==2\n`;
    const found = await pythonPackages(
      [
        { name: 'some.name', version: '1.0' },
        { name: 'none', version: '2' },
      ],
      [scratch, '/no/such'],
      lock,
    );
    expect(found).toEqual([
      { name: 'some.name', version: '1.0', recordSha256: expect.stringMatching(/^[0-9a-f]{64}$/), lockedSha256: [DIGEST, other] },
      { name: 'none', version: '2', recordSha256: null, lockedSha256: [] },
    ]);
  });

  it('lists what is installed in a root, not what was removed', async () => {
    const status = [
      'Package: b\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1-1\nDescription: x\n Package: trap',
      'Package: a\nStatus: install ok installed\nArchitecture: all\nVersion: 2',
      'Package: c\nStatus: deinstall ok config-files\nArchitecture: all\nVersion: 3',
    ];
    await writeFile(path.join(scratch, 'var/lib/dpkg/status'), `${status.join('\n\n')}\n`);
    expect(await installedPackages(scratch)).toEqual([
      { name: 'a', version: '2', architecture: 'all' },
      { name: 'b', version: '1-1', architecture: 'amd64' },
    ]);
    expect(await installedPackages('/no/such')).toEqual([]);
  });
});
