"""Runs small programs in a folder laid out as a trial's, with and without the probe."""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

PROBE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Outcome:
    """What a program left: output as bytes, exit status (negative: signal), and the probe's records."""

    def __init__(self, done, records):
        self.stdout = done.stdout
        self.stderr = done.stderr
        self.code = done.returncode
        self.records = records

    def of(self, kind, **fields):
        """Records of a kind whose fields have the given values."""
        return [
            record
            for record in self.records
            if record["kind"] == kind and all(record.get(name) == value for name, value in fields.items())
        ]


class Trial:
    """A subject, a script folder and a folder for records, all temporary; use it in a `with` statement."""

    def __enter__(self):
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="probe-test-"))
        self.subject, self.script, self.out = [self._folder(name) for name in ("subject", "script", "out")]
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root, ignore_errors=True)

    def _folder(self, name):
        path = os.path.join(self.root, name)
        os.mkdir(path)
        return path

    def write(self, name, text):
        """Write `subject/…` or `script/…`; answer the path."""
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as target:
            target.write(text)
        return path

    def environment(self, probe=True, **more):
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LD_LIBRARY_PATH") if name in os.environ}
        kept.update(PROJECT_DIR=self.subject, REENACT_SCRIPT_DIR=self.script, PYTHONDONTWRITEBYTECODE="1")
        kept["PYTHONPATH"] = os.pathsep.join(([PROBE] if probe else []) + [self.subject])
        if probe:
            kept["REENACT_PROBE_DIR"] = self.out
        kept.update(more)
        return kept

    def run(self, *words, probe=True, stdin=b"", **more):
        """Run the interpreter under test with these words in the subject's folder."""
        done = subprocess.run(
            [sys.executable] + list(words),
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.subject,
            env=self.environment(probe, **more),
            timeout=120,
        )
        return Outcome(done, self.records() if probe else [])

    def run_script(self, text, **more):
        """Run a text as `script/repro.py`."""
        return self.run(self.write("script/repro.py", text), **more)

    def records(self):
        """All records written so far; every line has to be whole JSON."""
        found = []
        for path in sorted(glob.glob(os.path.join(self.out, "*.jsonl"))):
            with open(path) as source:
                found.extend(json.loads(line) for line in source)
        return sorted(found, key=lambda record: record["t"])
