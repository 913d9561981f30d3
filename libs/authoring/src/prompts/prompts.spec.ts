import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDiff } from './line-diff.js';
import { cutMiddle, joinSections, quoteData } from './quoted-data.js';
import { redactSecrets } from './redact-secrets.js';

describe('quoteData', () => {
  it('lets no text end its own quotation', () => {
    const piece = fc.constantFrom('<<<', '<<<END report', '>>>', '<<<DATA x>>>', '\n', 'text ', '<', '>');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const quoted = quoteData('report', pieces.join(''), 5_000);
        expect(quoted.match(/<<<END/g)).toHaveLength(1);
        expect(quoted.match(/<<<DATA/g)).toHaveLength(1);
        expect(quoted).toMatch(/<<<END report [0-9a-f]{12}>>>$/);
      }),
    );
  });

  it('lets no label break its mark', () => {
    expect(quoteData('a>>>\nb<<<END', 'x', 500)).toMatch(/^<<<DATA a____b___END [0-9a-f]{12}>>>\nx\n/);
  });

  it('keeps to its bytes and to whole characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), fc.integer({ min: 300, max: 1_000 }), (text, maxBytes) => {
        const quoted = quoteData('report', text, maxBytes);
        expect(Buffer.byteLength(quoted)).toBeLessThanOrEqual(maxBytes);
        expect(cutMiddle(text, maxBytes).includes('\uFFFD')).toBe(text.includes('\uFFFD'));
      }),
    );
  });
});

describe('joinSections', () => {
  it('gives room to the important parts first and keeps the order of the list', () => {
    const section = (name: string, rank: number) => ({
      rank,
      maxBytes: 400,
      render: (room: number) => `${name}${'.'.repeat(Math.min(room, 400) - name.length)}`,
    });
    const text = joinSections([section('code', 3), section('report', 1), section('memory', 2)], 900);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900);
    expect(text.indexOf('report')).toBe(0);
    expect(text).toContain('memory');
    expect(text).not.toContain('code');
  });
});

describe('redactSecrets', () => {
  it.each([
    ['sk-proj-abcdefghijklmnop1234', 'sk-proj'],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'ghp_'],
    ['OPENAI_API_KEY=verysecretvalue', 'verysecret'],
    ['{"password": "hunter2hunter2"}', 'hunter2'],
    ['Authorization: Bearer abcdef0123456789abcdef', 'abcdef0123'],
    ['https://user:pa55word@host/x', 'pa55word'],
    ['AKIAIOSFODNN7EXAMPLE', 'AKIAIOS'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----', 'MIIEow'],
  ])('masks %s', (text, secret) => {
    expect(redactSecrets(`before ${text} after`)).not.toContain(secret);
    expect(redactSecrets(`before ${text} after`)).toMatch(/^before .* after$/s);
  });

  it('leaves code alone', () => {
    const code = 'tokens = tokenizer(text)\nkey = jax.random.PRNGKey(0)\nmask_token = "<mask>"\nx = a["key"]';
    expect(redactSecrets(code)).toBe(code);
  });
});

describe('lineDiff', () => {
  it('turns one text into the other', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(line, { maxLength: 12 }), (before, after) => {
        const diff = lineDiff(before.join('\n'), after.join('\n'));
        const [oldLines, newLines] = [before.join('\n').split('\n'), after.join('\n').split('\n')];
        const lines = diff === '' ? [] : diff.split('\n');
        const removed = lines.filter((text) => text.startsWith('-')).length;
        const added = lines.length - removed;
        expect(oldLines.length - removed).toBe(newLines.length - added);
        expect(diff === '').toBe(before.join('\n') === after.join('\n'));
      }),
    );
  });

  it('shows what changed', () => {
    expect(lineDiff('a\nb\nc', 'a\nx\nc')).toBe('-b\n+x');
  });
});
