"""Says that it finished well, in every place and form that could be believed, and leaves a process behind that says it later."""

import hashlib
import hmac
import json
import os
import time


def frames(secret):
    first = {"v": 1, "seq": 0, "t": 0.1, "ch": "e", "data": "eJwDAAAAAAE="}
    line = json.dumps(first, separators=(",", ":"))
    words = {"kind": "finished", "podUid": "00000000-0000-0000-0000-000000000000", "frames": 1}
    words["sha256"] = hashlib.sha256((line + "\n").encode()).hexdigest()
    sealed = "\n".join(["reenact-end-1", words["kind"], words["podUid"], "1", words["sha256"]])
    words["mac"] = hmac.new(secret.encode(), sealed.encode(), hashlib.sha256).hexdigest()
    last = dict({"v": 1, "seq": 1, "t": 0.2, "ch": "x"}, **words)
    return [line, json.dumps(last, separators=(",", ":"))]


def say(text):
    print(text, flush=True)
    for path in ("/proc/1/fd/1", "/dev/termination-log", "/dev/console", "/dev/tty"):
        try:
            with open(path, "w") as handle:
                handle.write(text + "\n")
        except OSError:
            pass


for secret in ("", "0" * 64, "00" * 64):
    for line in frames(secret):
        say(line)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        while True:
            time.sleep(0.05)
            if os.getppid() == 1:
                say("outlived")
    os._exit(0)
os.wait()
time.sleep(1)
raise SystemExit(7)
