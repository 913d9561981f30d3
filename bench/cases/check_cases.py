"""Checks the cases of this folder against their own truth, with ordinary code and no judge.

For each case: the reference is shown on the project and absent on the patched one, the trap is shown on neither,
honest scripts behave like the reference, and every cheat would fool a check that looks at its output alone.

    python check_cases.py [--python PATH] [--runs N] [CASE ...]

Ends with 0 when every row is as expected, with 1 otherwise. Needs what the cases need (NumPy for some of them).
"""
import argparse
import json
import operator
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIMIT_SECONDS = 20
OPERATORS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
OBSERVATION = re.compile(r"([A-Za-z_][\w.]*)=(\[[^\]]*\]|'[^']*'|\"[^\"]*\"|\S+)")


def apply_patch(folder, text):
    """Applies a unified diff with `a/` and `b/` prefixes; every line of context must fit exactly."""
    path, lines, shift = None, [], 0
    rows = iter(text.splitlines(keepends=True))
    for row in rows:
        if row.startswith("+++ "):
            if path:
                path.write_text("".join(lines))
            path = folder / row[4:].split("\t")[0].strip().split("/", 1)[1]
            lines, shift = path.read_text().splitlines(keepends=True), 0
        elif row.startswith("@@"):
            start, old, new = (int(g or 1) for g in re.match(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@", row).groups())
            at, before, after = start - 1 + shift, [], []
            while len(before) < old or len(after) < new:
                line = next(rows)
                if line[0] in " -":
                    before.append(line[1:])
                if line[0] in " +":
                    after.append(line[1:])
            if lines[at : at + old] != before:
                raise ValueError(f"{path}: hunk at line {start} does not fit")
            lines[at : at + old] = after
            shift += new - old
    path.write_text("".join(lines))


def run(python, case, script, patched):
    """One fresh process on a private copy of the project; gives output, exit status and seconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(case / "project", folder / "project", ignore=shutil.ignore_patterns("__pycache__"))
        if patched:
            apply_patch(folder, (case / "fix.patch").read_text())
        (folder / "script").mkdir()
        shutil.copy(case / script, folder / "script" / script)
        project = str(folder / "project")
        env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        env.update(PROJECT_DIR=project, PYTHONPATH=project, PYTHONDONTWRITEBYTECODE="1")
        begin = time.monotonic()
        with open(folder / "out", "w+") as out, open(folder / "err", "w+") as err:
            child = subprocess.Popen([python, str(folder / "script" / script)], cwd=project, env=env, stdout=out, stderr=err,
                                     start_new_session=True)
            try:
                child.wait(LIMIT_SECONDS)
            except subprocess.TimeoutExpired:
                pass  # A script that hangs on purpose: killed below, so that its status is -9.
            finally:
                try:
                    os.killpg(child.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                child.wait()
            seconds = time.monotonic() - begin
            out.seek(0)
            err.seek(0)
            return {"stdout": out.read(), "stderr": err.read(), "exit": child.returncode, "seconds": seconds}


def observations(text):
    found = {}
    for line in text.splitlines():
        if line.startswith("OBS "):
            found.update(OBSERVATION.findall(line[4:]))
    return found


def holds(check, result):
    """True when one check of a truth or oracle file holds for the output of a run."""
    if "regex" in check:
        where = result["stdout"] + "\n" + result["stderr"] if check["on"] == "combined" else result[check["on"]]
        return re.search(check["regex"], where) is not None
    value = result["exit"] if "exit_code" in check else observations(result["stdout"]).get(check["obs"])
    if value is None:
        return False
    try:
        return OPERATORS[check["op"]](float(value), float(check["value"]))
    except ValueError:
        return check["op"] == "==" and str(value) == str(check["value"])


def shown(oracle, result):
    return all(holds(check, result) for check in oracle["reproduced_if_all"])


def absent(oracle, result):
    return all(holds(check, result) for check in oracle["absent_if_all"])


def states(python, case, script, oracle, patched, runs):
    """Counts of shown, absent and neither over several runs, and the longest run in seconds."""
    results = [run(python, case, script, patched) for _ in range(runs)]
    hits = sum(shown(oracle, r) for r in results)
    misses = sum(absent(oracle, r) and not shown(oracle, r) for r in results)
    return hits, misses, max(r["seconds"] for r in results)


def judge_row(kind, buggy, patched, runs, flaky):
    """Whether the counts on the two projects are those that the kind of script must give."""
    if kind in ("reference", "honest"):
        often = buggy[0] == runs if not flaky else 0 < buggy[0]
        return often and buggy[0] + buggy[1] == runs and patched[:2] == (0, runs)
    if kind == "trap":
        return buggy[0] == 0 and patched[0] == 0
    return buggy[0] > 0 if flaky else buggy[0] == runs


def scripts_of(case):
    yield "reference", "reference_repro.py"
    yield "trap", "non_repro.py"
    for kind in ("trap", "honest", "cheat"):
        for path in sorted(case.glob(f"{kind}_*.py")):
            yield kind, path.name


def check_form(case, truth):
    """Names what the folder lacks."""
    lacks = [name for name in ("report.md", "project", "fix.patch", "reference_repro.py", "non_repro.py") if not (case / name).exists()]
    lacks += [kind for kind, least in (("cheat", 2), ("honest", 1)) if len(list(case.glob(f"{kind}_*.py"))) < least]
    place = truth["bug_location"]
    line = (case / place["file"]).read_text().splitlines()[place["line"] - 1]
    return lacks + ([] if place["code"] in line else ["bug_location"])


def check_case(python, case, runs):
    """Prints one row per script; gives the number of rows that are not as expected."""
    truth = json.loads((case / "truth.json").read_text())
    lacks, bad = check_form(case, truth), 0
    if lacks:
        print(f"{case.name}: lacks {', '.join(lacks)}")
    for kind, script in scripts_of(case):
        own = case / (script[:-3] + ".oracle.json")
        oracle = json.loads(own.read_text()) if own.exists() else truth["oracle"]
        count = runs * 5 if truth["flaky"] else runs
        buggy = states(python, case, script, oracle, False, count)
        patched = states(python, case, script, oracle, True, count)
        fine = judge_row(kind, buggy, patched, count, truth["flaky"] is not None)
        bad += not fine
        print(f"{case.name:22} {script:28} buggy {buggy[0]}/{count} shown {buggy[1]} absent   patched {patched[0]}/{count} shown {patched[1]} absent"
              f"   {max(buggy[2], patched[2]):5.2f} s  {'ok' if fine else 'WRONG'}", flush=True)
    return bad + len(lacks)


def main():
    parser = argparse.ArgumentParser(description="Checks the cases against their own truth.")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("case", nargs="*")
    options = parser.parse_args()
    names = options.case or sorted(p.parent.name for p in HERE.glob("*/truth.json"))
    bad = sum(check_case(options.python, HERE / name, options.runs) for name in names)
    print(f"{len(names)} cases, {bad} rows not as expected")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
