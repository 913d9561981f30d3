import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '@reenact/domain';
import { parseFixedAddress, parseSubjectAddress } from './addresses.js';
import type { PathKind } from './addresses.js';

const subject = (text: string, kind: PathKind = null) => parseSubjectAddress(text, { workingDirectory: '/home/me', kind });
const git = { type: 'git', url: 'https://host/o/r' } as const;
const fixed = (text: string, kind: PathKind = null, of: Parameters<typeof parseFixedAddress>[1]['subject'] = git) =>
  parseFixedAddress(text, { workingDirectory: '/home/me', kind, subject: of, subjectHasHistory: true });

describe('parseSubjectAddress', () => {
  it.each([
    ['https://github.com/o/r', { type: 'git', url: 'https://github.com/o/r' }],
    ['https://github.com/o/r.git@v1.2', { type: 'git', url: 'https://github.com/o/r.git', revision: 'v1.2' }],
    ['https://me@host/o/r@feature/x', { type: 'git', url: 'https://me@host/o/r', revision: 'feature/x' }],
    ['git+https://host/o/r@0a1b2c', { type: 'git', url: 'https://host/o/r', revision: '0a1b2c' }],
    ['ssh://git@host:2222/o/r@v1', { type: 'git', url: 'ssh://git@host:2222/o/r', revision: 'v1' }],
    ['git@github.com:o/r.git', { type: 'git', url: 'git@github.com:o/r.git' }],
    ['git@github.com:o/r.git@HEAD~2', { type: 'git', url: 'git@github.com:o/r.git', revision: 'HEAD~2' }],
    ['file:///srv/r', { type: 'git', url: 'file:///srv/r' }],
    ['pip:numpy', { type: 'distribution', name: 'numpy' }],
    ['pip:numpy==1.26.4', { type: 'distribution', name: 'numpy', version: '1.26.4' }],
    ['pip:torch==2.6.0+cpu', { type: 'distribution', name: 'torch', version: '2.6.0+cpu' }],
  ])('reads %s', (text, address) => {
    expect(subject(text)).toEqual(address);
  });

  it('reads a folder, made absolute', () => {
    expect(subject('./project', 'directory')).toEqual({ type: 'folder', path: '/home/me/project' });
    expect(subject('/srv/a@b', 'directory')).toEqual({ type: 'folder', path: '/srv/a@b' });
  });

  it.each([
    '',
    '--upload-pack=x',
    'ext::sh -c id',
    'ftp://host/x',
    'pip:',
    'pip:a b',
    'pip:x>=1',
    'pip:-r',
    'https://h/o/r@--x',
    'https://h/o/r@a..b',
    'https://h/o/r@',
  ])('refuses %j', (text) => {
    expect(() => subject(text)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it('says what to do about a folder that is not there', () => {
    expect(() => subject('nope')).toThrow(
      expect.objectContaining({ code: 'subject-not-found', hint: expect.stringContaining('--subject DIR') as string }),
    );
    expect(() => subject('x.py', 'file')).toThrow('is a file');
    expect(() => subject('github.com/o/r')).toThrow(expect.objectContaining({ hint: 'Did you mean https://github.com/o/r ?' }));
    expect(() => subject('numpy==1.2')).toThrow(expect.objectContaining({ hint: 'Did you mean pip:numpy==1.2 ?' }));
  });

  it('gives an address or an error of the user, and never a revision or a name that looks like an option', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((tail) => `https://h/o/r@${tail}`),
          fc.string().map((tail) => `pip:${tail}`),
        ),
        (text) => {
          try {
            const address = subject(text);
            const part = address.type === 'git' ? (address.revision ?? 'x') : address.type === 'distribution' ? address.name : 'x';
            return !part.startsWith('-') && !/\s/.test(part);
          } catch (error) {
            return isAppError(error) && ['usage', 'subject-not-found'].includes(error.code);
          }
        },
      ),
    );
  });
});

describe('parseFixedAddress', () => {
  it('tells folder, patch, revision, version and other addresses apart', () => {
    expect(fixed('fixed', 'directory')).toEqual({ type: 'folder', path: '/home/me/fixed' });
    expect(fixed('fix.patch', 'file')).toEqual({ type: 'patch-file', path: '/home/me/fix.patch' });
    expect(fixed('v1.3')).toEqual({ type: 'git', url: 'https://host/o/r', revision: 'v1.3' });
    expect(fixed('main~1', null, { type: 'folder', path: '/p' })).toEqual({ type: 'git', url: '/p', revision: 'main~1' });
    expect(fixed('1.27', null, { type: 'distribution', name: 'numpy' })).toEqual({ type: 'distribution', name: 'numpy', version: '1.27' });
    expect(fixed('pip:numpy==1.27')).toEqual({ type: 'distribution', name: 'numpy', version: '1.27' });
    expect(fixed('https://host/fork@v2')).toEqual({ type: 'git', url: 'https://host/fork', revision: 'v2' });
  });

  it('takes a name for a revision only where the subject has any', () => {
    const options = {
      workingDirectory: '/home/me',
      kind: null,
      subject: { type: 'folder', path: '/p' },
      subjectHasHistory: false,
    } as const;
    expect(() => parseFixedAddress('fix.patch', options)).toThrow('There is no folder or patch /home/me/fix.patch');
  });

  it.each(['no such file.patch', '../a', 'a..b', '-x'])('refuses %j', (text) => {
    expect(() => fixed(text)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
