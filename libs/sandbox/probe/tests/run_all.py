"""Runs the probe's tests under every Python from 3.7 on that can be found; `--most N` stops after N interpreters."""

import argparse
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_OLDEST = (3, 7)
_NEWEST_MINOR = 20


def candidates():
    """Interpreter paths out of PATH and the folders of common version managers, in that order."""
    yield sys.executable
    for minor in range(_OLDEST[1], _NEWEST_MINOR):
        found = shutil.which("python3.%d" % minor)
        if found:
            yield found
    home = os.path.expanduser("~")
    data = os.environ.get("XDG_DATA_HOME", os.path.join(home, ".local", "share"))
    folders = (
        os.path.join(os.environ.get("PYENV_ROOT", os.path.join(home, ".pyenv")), "versions"),
        os.path.join(os.environ.get("ASDF_DATA_DIR", os.path.join(home, ".asdf")), "installs", "python"),
        os.environ.get("UV_PYTHON_INSTALL_DIR", os.path.join(data, "uv", "python")),
    )
    for folder in folders:
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            yield os.path.join(folder, name, "bin", "python3")


def version(path):
    """(major, minor) that the interpreter itself says, or None where it does not run."""
    try:
        done = subprocess.run([path, "-I", "-V"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.match(rb"Python (\d+)\.(\d+)", done.stdout)
    return (int(match.group(1)), int(match.group(2))) if match and done.returncode == 0 else None


def interpreters():
    """One interpreter per minor version, ascending."""
    found = {}
    for path in candidates():
        number = version(path)
        if number and number >= _OLDEST:
            found.setdefault(number, path)
    return sorted(found.items())


def main():
    """Run everything; exit status 1 where one interpreter fails or fewer than `--least` were found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--least", type=int, default=1, help="interpreters that have to be found")
    parser.add_argument("--most", type=int, default=99, help="interpreters to run: the oldest, the newest, then others")
    options = parser.parse_args()
    found = interpreters()
    chosen = sorted((found[:1] + found[:0:-1])[: options.most])
    failed = []
    for number, path in chosen:
        name = "Python %d.%d" % number
        words = [path, "-m", "unittest", "discover", "-s", "tests", "-t", "."]
        environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
        done = subprocess.run(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        text = done.stdout.decode("utf-8", "replace").rstrip()
        print("%s: %s" % (name, text.splitlines()[-1] if done.returncode == 0 else "failed\n" + text), flush=True)
        if done.returncode != 0:
            failed.append(name)
    print("%d interpreters, %d failed" % (len(chosen), len(failed)))
    return 1 if failed or len(chosen) < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
