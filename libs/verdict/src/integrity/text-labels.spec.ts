import { describe, expect, it } from 'vitest';
import { python } from './fixtures/rule-bench.js';
import { NAMES_SOURCE, NAMES_SUBJECT } from './labels.js';
import { listingOf } from './subject-listing.js';
import { labelsOfText } from './text-labels.js';

const SOURCE = NAMES_SUBJECT | NAMES_SOURCE;

describe('labelsOfText', () => {
  it.each([
    ['"PROJECT_DIR"', NAMES_SUBJECT],
    ['"${PROJECT_DIR}"', NAMES_SUBJECT],
    ['"pkg/tool.py"', SOURCE],
    ['"./pkg/tool.py"', SOURCE],
    ['"/x/pkg/tool.py"', SOURCE],
    ['"tool.py"', SOURCE],
    ['"python tool.py --n=3"', SOURCE],
    ['"main.py"', SOURCE],
    ['"/x/main.py"', SOURCE],
    ['"x/tool.py"', 0],
    ['"data/rows.csv"', NAMES_SUBJECT],
    ['"rows.csv"', NAMES_SUBJECT],
    ['"tool"', 0],
    ['"pkg.tool"', NAMES_SUBJECT],
    ['"main"', NAMES_SUBJECT],
    ['"""main"""', NAMES_SUBJECT],
    ["f'main'", NAMES_SUBJECT],
    ['"main street"', 0],
    ['"import main"', NAMES_SUBJECT],
    ['"x = 1; from pkg import tool"', NAMES_SUBJECT],
    ['"from pkg.tool import f"', NAMES_SUBJECT],
    ['"import json"', 0],
    ['"important main"', 0],
    ['""', 0],
    ['"other.py"', 0],
  ])('of %s are %d', (literal, labels) => {
    expect(labelsOfText(literal, listingOf(python, { 'pkg/tool.py': '', 'main.py': '', 'data/rows.csv': '' }))).toBe(labels);
  });

  it('are looked for in the first 20,000 characters', () => {
    const listing = listingOf(python, { 'main.py': '' });
    expect(labelsOfText(`"${' '.repeat(19_990)}main.py"`, listing)).toBe(SOURCE);
    expect(labelsOfText(`"${' '.repeat(19_994)}main.py"`, listing)).toBe(0);
  });
});
