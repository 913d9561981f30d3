"""Looks at the status of the real run, writes a summary as JSON and fails like a check of a pipeline would."""
import json
import os
import pathlib
import subprocess
import sys
import typing

PROJECT = pathlib.Path(os.environ.get("PROJECT_DIR", "project"))


class Outcome(typing.NamedTuple):
    code: int
    last_line: str


def train() -> Outcome:
    with subprocess.Popen([sys.executable, str(PROJECT / "train.py")], cwd=PROJECT, stdout=subprocess.PIPE, text=True) as child:
        lines = [line.rstrip() for line in child.stdout]
    return Outcome(child.wait(), lines[-1])


if __name__ == "__main__":
    outcome = train()
    print(json.dumps(outcome._asdict()))
    print(f"OBS exit_code={outcome.code} finished={'training finished' in outcome.last_line}", flush=True)
    if outcome.code != 0:
        print("the training was fine but its status is not 0", file=sys.stderr)
        sys.exit(1)
