"""From a launch step to argument list and environment of a process, by the running contract."""

import json
import os
import shlex

_SCRIPT = "@script/"
# First versions with `-P`: the script's own directory stays off the head of sys.path.
_SAFE_PATH_SINCE = [3, 11]
# Options of the interpreter that take the next word.
_WITH_VALUE = ("-W", "-X", "--check-hash-based-pycs")
_RESERVED = ("PROJECT_DIR", "PATH", "HOME", "TMPDIR", "PYTHONPATH")
_MASTER_PORT = 29500
# Counted from the rendezvous port of the step, so that no two of them meet.
_COORDINATOR_PORT = 500
_WORKER_PORTS = 1000

# Runs a script as __main__ with its directory off sys.path, for interpreters without -P (also 2.7).
SAFE_RUNNER = r"""
def _load():
    import sys
    del sys.path[0], sys.argv[0]
    main = sys.modules['__main__']
    main.__file__ = sys.argv[0]
    del main.__dict__['_load']
    with open(sys.argv[0], 'rb') as handle:
        return compile(handle.read(), sys.argv[0], 'exec', 0, True)
exec(_load())
"""
RUNNER_NAME = "safe_run.py"


class Places:
    """Where the parts of the trial lie as the candidate sees them."""

    def __init__(self, paths):
        self.subject = paths["subject"]
        self.script = paths["script"]
        self.probe = paths["probe"]
        self.probe_out = paths["probe-out"]
        self.tools = paths["tools"]
        self.home = paths["home"]
        self.temporary = paths["tmp"]
        self.bytecode = paths["bytecode"]


def write_tools(directory, interpreter):
    """Writes the safe runner, and `python` wrappers where the interpreter's own folder has no such name."""
    with open(os.path.join(directory, RUNNER_NAME), "w") as handle:
        handle.write(SAFE_RUNNER)
    for name in ("python", "python3"):
        if not os.path.exists(os.path.join(os.path.dirname(interpreter), name)):
            wrapper = os.path.join(directory, name)
            with open(wrapper, "w") as handle:
                handle.write('#!/bin/sh\nexec %s "$@"\n' % shlex.quote(interpreter))
            os.chmod(wrapper, 0o755)


def argv_of(step, interpreter, version, places):
    """The words of a step with `python` and `@script/` resolved, and safe path for a candidate's own script."""
    words = [_resolve(word, places) for word in step.argv]
    if step.argv[0] != "python":
        return words
    words[0] = interpreter
    position = _script_position(step.argv)
    if position is None or not step.argv[position].startswith(_SCRIPT):
        return words
    if list(version) >= _SAFE_PATH_SINCE:
        return words[:1] + ["-P"] + words[1:]
    return words[:position] + [os.path.join(places.tools, RUNNER_NAME)] + words[position:]


def _resolve(word, places):
    if not word.startswith(_SCRIPT):
        return word
    inner = os.path.normpath(word[len(_SCRIPT) :])
    if inner.startswith("..") or os.path.isabs(inner):
        return word
    return os.path.join(places.script, inner)


def _script_position(argv):
    """Index of the word that names the program's file, None for -m, -c or no file."""
    position = 1
    while position < len(argv):
        word = argv[position]
        if word in _WITH_VALUE:
            position += 2
        elif word in ("-m", "-c", "-"):
            return None
        elif word.startswith("-"):
            position += 1
        else:
            return position
    return None


def environment_of(request, places):
    """The variables of every process of the trial; nothing of the host's environment goes in."""
    roots = [os.path.normpath(os.path.join(places.subject, root)) for root in request.import_roots]
    python_path = [places.probe] + roots + [places.script]
    if "PYTHONPATH" in request.env:
        python_path.append(request.env["PYTHONPATH"])
    variables = {
        "PATH": os.pathsep.join([os.path.dirname(request.interpreter), places.tools, "/usr/local/bin", "/usr/bin", "/bin"]),
        "HOME": places.home,
        "TMPDIR": places.temporary,
        "USER": "nobody",
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(python_path)),
        "PROJECT_DIR": places.subject,
        "REENACT_SCRIPT_DIR": places.script,
        "REENACT_PROBE_DIR": places.probe_out,
    }
    if request.coverage is not None:
        variables["REENACT_COVERAGE"] = "1"
    if request.probe_parts:
        variables["REENACT_PROBE_PARTS"] = ",".join(request.probe_parts)
    if places.bytecode is not None:
        variables["PYTHONPYCACHEPREFIX"] = places.bytecode
    for name, text in request.env.items():
        if name not in _RESERVED and not name.startswith("REENACT_"):
            variables[name] = text
    return variables


class RankPlace:
    """One rank of a step: its number, how many there are, the nodes they are spread over evenly, and the rendezvous port."""

    def __init__(self, rank, world_size, peers, port):
        self.rank = rank
        self.world_size = world_size
        self.hosts = peers.hosts
        self.port = port
        self.per_node = world_size // len(peers.hosts)
        self.node, self.local_rank = divmod(rank, self.per_node)


def ranks_of(world_size, peers):
    """The ranks of a step that run on this node: nodes take them in order, equally many each."""
    per_node = world_size // len(peers.hosts)
    return range(peers.node * per_node, (peers.node + 1) * per_node)


def rank_environment(place):
    """The variables that launchers such as torchrun set for one of several ranks; NODE_RANK is what Lightning asks for."""
    return {
        "RANK": str(place.rank),
        "LOCAL_RANK": str(place.local_rank),
        "WORLD_SIZE": str(place.world_size),
        "LOCAL_WORLD_SIZE": str(place.per_node),
        "GROUP_RANK": str(place.node),
        "GROUP_WORLD_SIZE": str(len(place.hosts)),
        "NODE_RANK": str(place.node),
        "MASTER_ADDR": place.hosts[0],
        "MASTER_PORT": str(place.port),
    }


def framework_environment(place):
    """The same for TensorFlow (TF_CONFIG: every worker's address) and JAX (coordinator, count and number of processes)."""
    workers = [
        "%s:%d" % (host, place.port + _WORKER_PORTS + local) for host in place.hosts for local in range(place.per_node)
    ]
    return {
        "TF_CONFIG": json.dumps({"cluster": {"worker": workers}, "task": {"type": "worker", "index": place.rank}}),
        "JAX_COORDINATOR_ADDRESS": "%s:%d" % (place.hosts[0], place.port + _COORDINATOR_PORT),
        "JAX_NUM_PROCESSES": str(place.world_size),
        "JAX_PROCESS_ID": str(place.rank),
    }


def inner_port(step_index):
    """A fresh network namespace has every port free; each step gets its own, so that no TIME_WAIT is met."""
    return _MASTER_PORT + step_index
