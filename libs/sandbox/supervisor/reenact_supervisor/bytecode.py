"""Byte code for environments that were installed without it.

Some installers write no `__pycache__`. Candidates see their environment read-only, so every one of their interpreters
would compile every imported module anew: half a minute for each start of a large framework. Where much is missing, it is
compiled once, outside the sandbox and without running any of it, into a cache that PYTHONPYCACHEPREFIX (Python 3.8+)
names. Byte code that is there already is copied, as the prefix hides it.
"""

import fcntl
import hashlib
import json
import os
import subprocess
import time

_SINCE = [3, 8]
# Below this number the missing files cost less than the second cache.
_WORTH_FILES = 200
_LIMIT_SECONDS = 1800
_PROGRAM = r"""
import importlib.util, os, py_compile, shutil, sys
target, shard, shards = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
count = 0
for root in sys.argv[4:]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name != '__pycache__')
        for name in sorted(names):
            if not name.endswith('.py'):
                continue
            count += 1
            if count % shards != shard:
                continue
            source = os.path.join(folder, name)
            sys.pycache_prefix = None
            beside = importlib.util.cache_from_source(source)
            sys.pycache_prefix = target
            cached = importlib.util.cache_from_source(source)
            try:
                if os.path.exists(cached) and os.path.getmtime(cached) >= os.path.getmtime(source):
                    continue
                os.makedirs(os.path.dirname(cached), exist_ok=True)
                if os.path.exists(beside):
                    shutil.copyfile(beside, cached)
                else:
                    py_compile.compile(source, cfile=cached, doraise=True, quiet=2)
            except Exception:
                pass
"""


def count_missing(roots, tag):
    """How many modules below the roots have no byte code of the interpreter's cache tag."""
    missing = 0
    for root in roots:
        for folder, folders, names in os.walk(root):
            if "__pycache__" in folders:
                folders.remove("__pycache__")
            present = set(_names(os.path.join(folder, "__pycache__")))
            missing += sum(1 for name in names if name.endswith(".py") and "%s.%s.pyc" % (name[:-3], tag) not in present)
    return missing


def bytecode_cache(interpreter, facts, cache_directory, on_wait):
    """Returns the directory for PYTHONPYCACHEPREFIX, or None where nothing is gained; `on_wait` is called while it works."""
    if facts["version"] < _SINCE or facts["modulesWithoutBytecode"] < _WORTH_FILES:
        return None
    key = hashlib.sha256(json.dumps([interpreter, facts["version"]]).encode()).hexdigest()[:16]
    target = os.path.join(cache_directory, "bytecode-" + key)
    done = target + ".json"
    os.makedirs(target, mode=0o755, exist_ok=True)
    with open(target + ".lock", "w") as lock:
        while not _locked(lock):
            on_wait()
            time.sleep(0.5)
        if _read(done) != facts["stamps"]:
            _compile(interpreter, facts, target, on_wait)
            with open(done, "w") as handle:
                json.dump(facts["stamps"], handle)
    return target


def _compile(interpreter, facts, target, on_wait):
    roots = [path for path in facts["path"] + facts["sites"] if os.path.isdir(path) and not path.endswith("lib-dynload")]
    roots = [path for path in roots if not any(path != other and path.startswith(other + "/") for other in roots)]
    shards = max(1, len(os.sched_getaffinity(0)))
    deadline = time.monotonic() + _LIMIT_SECONDS
    workers = [_start(interpreter, target, (shard, shards), roots) for shard in range(shards)]
    try:
        while any(worker.poll() is None for worker in workers) and time.monotonic() < deadline:
            on_wait()
            time.sleep(0.5)
    finally:
        for worker in workers:
            if worker.poll() is None:
                worker.kill()
            worker.wait()


def _start(interpreter, target, shard, roots):
    return subprocess.Popen(
        [interpreter, "-E", "-s", "-S", "-c", _PROGRAM, target] + [str(part) for part in shard] + roots,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/",
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
    )


def _locked(handle):
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError:
        return False


def _names(directory):
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _read(path):
    try:
        with open(path) as handle:
            return json.load(handle)
    except (OSError, ValueError):
        return None
