"""The request file of a trial, read and checked once."""

import json
import os

from .evidence import EvidenceWriter
from .left_files import MOST_PATHS, is_watchable
from .peers import Alone


class RequestInvalid(Exception):
    """The request cannot be run; the message names the field."""


class Step:
    def __init__(self, value):
        self.argv = [_text(word, "argv") for word in value["argv"]]
        self.ranks = int(value.get("ranks", 1))
        self.continue_on_error = bool(value.get("continueOnError", False))


class Limits:
    def __init__(self, value):
        self.wall_seconds = float(value["wallSeconds"])
        self.memory_bytes = int(value["memoryBytes"])
        self.processes = int(value["processes"])
        self.output_bytes = int(value["outputBytes"])
        self.disk_bytes = int(value["diskBytes"])


class Request:
    """Fields as in TrialRequest of the domain's ports, plus where supervisor, probe and caches live."""

    def __init__(self, value):
        launch = value["launch"]
        self.execution_id = _text(value["executionId"], "executionId")
        self.script_directory = _absolute(value["scriptDirectory"], "scriptDirectory")
        self.subject_directory = _absolute(value["subjectDirectory"], "subjectDirectory")
        self.import_roots = [_inside(root) for root in value["importRoots"]]
        self.interpreter = _absolute(value["interpreter"], "interpreter")
        self.output_directory = _absolute(value["outputDirectory"], "outputDirectory")
        self.work_directory = _absolute(value["workDirectory"], "workDirectory")
        self.cache_directory = _absolute(value["cacheDirectory"], "cacheDirectory")
        self.probe_directory = _absolute(value["probeDirectory"], "probeDirectory")
        self.bytecode_directory = None
        self.open_evidence = lambda: EvidenceWriter(self.output_directory)
        # What isolates a pod from outside, in the words of the BEGIN record; None where this process isolates the trial.
        self.pod_isolation = None
        # Replaced where several nodes run the trial together.
        self.peers = Alone()
        self.coverage = value.get("coverage")
        self.load = int(value.get("load", 0))
        self.probe_parts = _parts(value.get("probe", []))
        self.allow_unsandboxed = bool(value.get("allowUnsandboxed"))
        self.force_plain = bool(value.get("forcePlain"))
        self.steps = [Step(step) for step in launch["steps"]]
        self.env = {_text(name, "env"): _text(text, "env") for name, text in launch.get("env", {}).items()}
        self.limits = Limits(launch["limits"])
        self.network = bool(launch.get("network"))
        self.silent_seconds = launch.get("silentSeconds")
        self.watched_files = _watched(launch.get("watchFiles", []))
        if not os.path.isdir(self.subject_directory):
            raise RequestInvalid("subjectDirectory is no directory: %s" % self.subject_directory)


def read_request(path):
    """Raises RequestInvalid."""
    try:
        with open(path, encoding="utf-8") as handle:
            value = json.load(handle)
    except (OSError, ValueError) as error:
        raise RequestInvalid("%s: %s" % (type(error).__name__, error))
    return request_of(value)


def request_of(value):
    """The request of a trial from its parsed form. Raises RequestInvalid."""
    try:
        return Request(value)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RequestInvalid("%s: %s" % (type(error).__name__, error))


def _text(value, field):
    if not isinstance(value, str) or "\0" in value:
        raise RequestInvalid("%s holds something that is no text" % field)
    return value


def _absolute(value, field):
    if not os.path.isabs(_text(value, field)):
        raise RequestInvalid("%s is not absolute: %s" % (field, value))
    return value


def _inside(root):
    """A path relative to the subject that does not leave it."""
    normal = os.path.normpath(_text(root, "importRoots") or ".")
    if os.path.isabs(normal) or normal == ".." or normal.startswith("../"):
        raise RequestInvalid("an import root leaves the subject: %s" % root)
    return normal


def _parts(names):
    """Names of parts of the probe; the probe knows which there are."""
    for name in names:
        if not _text(name, "probe").isalpha():
            raise RequestInvalid("no name of a part of the probe: %s" % name)
    return list(names)


def _watched(paths):
    if not isinstance(paths, list) or len(paths) > MOST_PATHS:
        raise RequestInvalid("watchFiles is no list of at most %d paths" % MOST_PATHS)
    for path in paths:
        if not is_watchable(_text(path, "watchFiles")):
            raise RequestInvalid("a watched file leaves its folder: %s" % path)
    return list(dict.fromkeys(paths))
