// The two tiers that run the product as a user does: the README's first example, and the verdict bench on our own cases.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compareReadme } from './readme-output.mjs';

const FIRST_EXAMPLE = 'examples/numpy-removed-alias';

function reenact(root, argv) {
  return spawnSync(path.join(root, 'reenact'), argv, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The README's first command: it must print what the README shows, and its verdict must be `reproduced` with an absent control. */
export function checkFirstExample(root) {
  const done = reenact(root, ['run', FIRST_EXAMPLE, '--force']);
  const { same, expected, printed } = compareReadme(root, done.stdout);
  const runId = /runs\/(\S+?)\/bundle\.tar/.exec(done.stdout)?.[1];
  const verdict = runId === undefined ? null : json(reenact(root, ['show', runId, '--json']).stdout);
  const checks = [
    ['its exit status is 0', done.status === 0],
    ['its verdict is reproduced, with a control in which the signal is absent', isProven(verdict)],
    ['it prints what the README shows', same],
  ];
  if (!same) console.log(`README:\n${expected}\n\nprinted:\n${printed}`);
  const failed = checks.filter(([, holds]) => !holds);
  return { passed: checks.length - failed.length, failed: failed.length, note: failed.map(([what]) => what).join('; ') };
}

function isProven(shown) {
  const verdict = shown?.verdict?.verdict === undefined ? shown : shown.verdict;
  return verdict?.verdict === 'reproduced' && verdict.controls?.some((control) => control.state === 'absent') === true;
}

function shareForCi(root) {
  if (!process.env.CI) return [];
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? ['--share', `${(parseInt(stdout.trim().slice(-1), 16) % 4) + 1}/4`] : [];
}

/**
 * Every judged item of our own cases is one check; an undecided one is no pass where the truth gives the oracle. CI judges a quarter of
 * the cases for each commit, which quarter its hash says, since all take half an hour; a person who asks for tests gets all.
 */
export function checkOwnCases(root) {
  const result = json(
    reenact(root, ['bench', 'verdict', '--cases', 'bench/cases', '--with', 'numpy', '--json', ...shareForCi(root)]).stdout,
  );
  if (result === null) return { passed: 0, failed: 1, note: 'the verdict bench gave no table' };
  const counted = result.items.filter((item) => item.column === 'case' || !item.undecided);
  const wrong = counted.filter((item) => !item.ok);
  const failures = wrong.map(
    (item) => `${item.case} ${item.script} (${item.project}, ${item.column}): ${item.verdict}, expected ${item.expected}. ${item.sentence}`,
  );
  return { passed: counted.length - wrong.length, failed: counted.length === 0 ? 1 : wrong.length, failures };
}

/** What the documents say must be there: folders that ARCHITECTURE.md names, a page for each kind of oracle, a README of a readable length. */
export function checkDocuments(root) {
  const architecture = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
  const rooms = [...architecture.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap((row) =>
    [...row[1].matchAll(/`([^`]+)`/g)].map((name) => name[1]),
  );
  const listed = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).stdout.split('\n');
  const missing = rooms.filter((room) => !listed.some((file) => file.startsWith(`${room}/`)));
  const evaluated = readFileSync(path.join(root, 'libs', 'verdict', 'src', 'oracles', 'evaluate-oracle.ts'), 'utf8');
  const kinds = [...evaluated.matchAll(/case '(\w+)':/g)].map((match) => match[1]);
  const unexplained = kinds.filter((kind) => !listed.includes(`docs/oracles/${kind}.md`));
  const lines = readFileSync(path.join(root, 'README.md'), 'utf8').split('\n').length;
  const failed = missing.length + unexplained.length + (lines > 150 ? 1 : 0) + (rooms.length === 0 || kinds.length === 0 ? 1 : 0);
  const notes = [
    ...missing.map((room) => `ARCHITECTURE.md names ${room}, which is not there`),
    ...unexplained.map((kind) => `docs/oracles/${kind}.md is not there`),
  ];
  return {
    passed: rooms.length - missing.length + (kinds.length - unexplained.length) + (lines > 150 ? 0 : 1),
    failed,
    note: notes.join('; '),
  };
}
