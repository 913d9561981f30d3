import type { Launch, LaunchStep } from '@reenact/domain';

/**
 * `run.sh` of a bundle: runs the launch by hand with a POSIX shell and a Python, without Reenact. The subject comes from
 * PROJECT_DIR or lies in `subject/`; a fresh copy of it is the working directory, as in a trial. Limits are not kept.
 * @param importRoots directories to import from, relative to the subject
 */
export function runScript(launch: Launch, importRoots: readonly string[]): string {
  const roots = importRoots.map((root) => (root === '.' ? '"$PROJECT_DIR"' : `"$PROJECT_DIR"/${shellWord(root)}`));
  const variables = Object.entries(launch.env)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${shellWord(value)}; export ${name}`);
  return [
    '#!/bin/sh',
    '# Runs this bundle by hand, without Reenact:',
    '#   python3 -m venv .venv && .venv/bin/pip install -r environment.lock',
    '#   PYTHON=.venv/bin/python PROJECT_DIR=/path/to/the/project sh run.sh',
    '# PROJECT_DIR may be left out where this bundle holds the project as subject/.',
    'set -u',
    'here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 2',
    'project=${PROJECT_DIR:-$here/subject}',
    'python=${PYTHON:-python3}',
    'case $python in */*) python=$(CDPATH= cd -- "$(dirname -- "$python")" && pwd)/$(basename -- "$python") ;; esac',
    'if [ ! -d "$project" ]; then',
    '  echo "run.sh: set PROJECT_DIR to the folder of the project (subject.json says which revision)" >&2',
    '  exit 2',
    'fi',
    'work=$(mktemp -d) || exit 2',
    `trap 'rm -rf "$work"' EXIT`,
    `trap 'exit 130' INT TERM`,
    'mkdir "$work/subject" && cp -R "$project/." "$work/subject" || exit 2',
    'PROJECT_DIR=$work/subject; export PROJECT_DIR',
    `PYTHONPATH=${[...roots, '"$here"/script'].join(':')}; export PYTHONPATH`,
    'PYTHONDONTWRITEBYTECODE=1; export PYTHONDONTWRITEBYTECODE',
    ...variables,
    'cd "$PROJECT_DIR" || exit 2',
    '# Scripts of the bundle run with safe-path where Python knows it (3.11), so that no file beside them hides a module.',
    'safe=; if "$python" -P -c "" 2>/dev/null; then safe=-P; fi',
    'status=0',
    ...launch.steps.flatMap(stepLines),
    'exit "$status"',
    '',
  ].join('\n');
}

function stepLines(step: LaunchStep): string[] {
  const command = commandOf(step.argv);
  const run = step.ranks === 1 ? [command, 'status=$?'] : ranksOf(step.ranks, command);
  return [...run, ...(step.continueOnError ? [] : ['[ "$status" -eq 0 ] || exit "$status"'])];
}

/** Side by side, each with its rank; the status is the last one that is not 0. */
function ranksOf(ranks: number, command: string): string[] {
  return [
    'port=$((20000 + $$ % 20000)); pids=; rank=0',
    `while [ "$rank" -lt ${ranks} ]; do`,
    `  RANK=$rank LOCAL_RANK=$rank WORLD_SIZE=${ranks} MASTER_ADDR=127.0.0.1 MASTER_PORT=$port ${command} &`,
    '  pids="$pids $!"; rank=$((rank + 1))',
    'done',
    'status=0',
    'for pid in $pids; do wait "$pid" || status=$?; done',
  ];
}

function commandOf(argv: readonly string[]): string {
  const words = argv.map((word, index) => {
    if (index === 0 && word === 'python') return '"$python"';
    return word.startsWith('@script/') ? `"$here"/script/${shellWord(word.slice('@script/'.length))}` : shellWord(word);
  });
  const ownScript = argv[0] === 'python' && argv[1]?.startsWith('@script/') === true;
  if (ownScript) words.splice(1, 0, '$safe');
  return words.join(' ');
}

/** One word for a POSIX shell, whatever it holds. */
function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
