"""Through a shell with a log file, as the scheduler does, and ends with the status of the shell."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import shlex
import tempfile

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "job.log")
        command = f"cd {shlex.quote(sys.path[0])} && {shlex.quote(sys.executable)} train.py > {shlex.quote(log)} 2>&1"
        code = os.waitstatus_to_exitcode(os.system(command))
        with open(log) as source:
            lines = source.read().splitlines()
    print(lines[-1])
    print(f"OBS exit_code={code} finished={lines[-1].startswith('training finished')}", flush=True)
    sys.exit(code)
