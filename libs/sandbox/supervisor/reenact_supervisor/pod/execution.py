"""One execution in a pod: takes the payload, runs the trial in the pod's own isolation and sends the evidence out as frames."""

import hashlib
import json
import os
import time
import traceback

from ..interpreter import InterpreterFailed
from ..request import RequestInvalid, Step, request_of
from ..trial import run_trial
from . import protection
from .frames import EvidenceTooLarge, FrameWriter
from .group import Group, PeersLost
from .memory import MemoryEvidence, memory_share
from .network_check import NotIsolated, prove_isolation
from .payload import PayloadInvalid, read_payload, unpack_payload
from .preflight import NodeUnfit, check_node

# The exit status of the container; `classify-outcome.ts` reads the same numbers.
DONE = 0
CONFIGURATION = 64
PAYLOAD = 65
NODE = 66
PEERS = 67
ISOLATION = 68
FAILED = 70
STOPPED = 75
# Where the kubelet reads it; it is named otherwise where no kubelet is, as in tests.
_TERMINATION_FILE = os.environ.pop("REENACT_TERMINATION_FILE", "/dev/termination-log")
# The kubelet keeps 4096 bytes.
_TERMINATION_BYTES = 3500


def execute(config_path):
    """Runs what the configuration says; returns the exit status."""
    nonce = protection.take_secret("REENACT_NONCE")
    pod_uid = os.environ.pop("REENACT_POD_UID", "")
    node = os.environ.pop("REENACT_NODE_RANK", "0")
    protection.protect()
    frames = FrameWriter(1, nonce, pod_uid)
    group = None
    try:
        config = _read_config(config_path, nonce, pod_uid)
        limits = protection.limits()
        group = _group(config, node, nonce)
        result = _run(config, frames, group)
        protection.kill_all_others()
        protection.check_limits(limits)
        protection.check_signals()
        frames.evidence(result["evidence"])
        _leave_word(dict(frames.end("finished", result["scriptSeconds"])))
        return DONE
    except protection.StoppedFromOutside:
        protection.kill_all_others()
        _leave_word(dict(frames.end("stopped", 0.0)))
        return STOPPED
    except (ConfigurationInvalid, RequestInvalid, InterpreterFailed) as error:
        return _fail(CONFIGURATION, error)
    except PayloadInvalid as error:
        return _fail(PAYLOAD, error)
    except PeersLost as error:
        return _fail(PEERS, error)
    except NodeUnfit as error:
        return _fail(NODE, error)
    except NotIsolated as error:
        return _fail(ISOLATION, error)
    except EvidenceTooLarge as error:
        return _fail(FAILED, "the evidence is too large: %s" % error)
    except Exception:
        return _fail(FAILED, traceback.format_exc())
    finally:
        if group is not None:
            group.close()


class ConfigurationInvalid(Exception):
    """What the pod was told cannot be run."""


def _read_config(path, nonce, pod_uid):
    try:
        with open(path, encoding="utf-8") as handle:
            config = json.load(handle)
        if config["version"] != 1 or not nonce or not pod_uid:
            raise ConfigurationInvalid("no configuration of this version, or no nonce, or no UID of the pod")
        return config
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigurationInvalid("%s: %s" % (type(error).__name__, error))


def _group(config, node, nonce):
    """Those who run the trial together; None where it is one pod alone. Raises ConfigurationInvalid."""
    ranks = config["ranks"]
    if ranks is None:
        return None
    nodes = len(ranks["hosts"])
    if not node.isdigit() or int(node) >= nodes:
        raise ConfigurationInvalid("%r is no node of %d" % (node, nodes))
    _check_steps(config["run"], nodes)
    return Group(ranks, int(node), nonce)


def _check_steps(run, nodes):
    """Before anybody is waited for: raises ConfigurationInvalid where ranks cannot be spread evenly."""
    try:
        ranks = [Step(step).ranks for step in run["launch"]["steps"]]
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigurationInvalid("%s: %s" % (type(error).__name__, error))
    for index, count in enumerate(ranks):
        if count != 1 and count % nodes != 0:
            raise ConfigurationInvalid("the %d ranks of step %d do not spread evenly over %d pods" % (count, index, nodes))


def _words(config):
    """What all nodes must have been given alike."""
    run = hashlib.sha256(json.dumps(config["run"], sort_keys=True).encode()).hexdigest()
    return {"executionId": config["executionId"], "payload": config["payload"]["sha256"], "run": run}


def _run(config, frames, group):
    state = {"next": 0.0}

    def on_progress(line):
        now = time.monotonic()
        if now >= state["next"]:
            state["next"] = now + config["heartbeatSeconds"]
            frames.heartbeat(line, memory_share())

    def on_wait():
        protection.check_signals()
        on_progress("waiting for the other pods")

    facts = _node_facts(config) + _network_facts(config)
    if group is not None:
        group.join(_words(config), on_wait)
    received = os.path.join(config["scratch"], "received")
    os.makedirs(received)
    unpack_payload(read_payload(config["input"], config["payload"]), received)
    request = _request(config, received, facts)
    if group is not None:
        request.peers = group
    evidence = []

    def open_evidence():
        evidence.append(MemoryEvidence())
        return evidence[0]

    request.open_evidence = open_evidence
    result = run_trial(request, on_progress, protection.check_signals)
    # A network that came up late may have looked like a closed one.
    protection.kill_all_others()
    _network_facts(dict(config, canary=config["canary"] and dict(config["canary"], budgetSeconds=0)))
    return {"evidence": evidence[0].content(), "scriptSeconds": result["scriptSeconds"]}


def _node_facts(config):
    if config["node"] is None:
        return ["node-check=skipped: not asked for"]
    prefix = os.path.dirname(os.path.dirname(config["run"]["interpreter"]))
    return check_node(config["node"], config["scratch"], prefix, protection.check_signals)


def _network_facts(config):
    if config["canary"] is None:
        return ["network-check=skipped: there is no canary"]
    return prove_isolation(config["canary"], protection.check_signals)


def _request(config, received, facts):
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    request = request_of(
        dict(
            config["run"],
            executionId=config["executionId"],
            scriptDirectory=os.path.join(received, "script"),
            subjectDirectory=os.path.join(received, "subject"),
            outputDirectory=config["scratch"],
            workDirectory=os.path.join(config["scratch"], "work"),
            cacheDirectory=os.path.join(config["scratch"], "cache"),
            probeDirectory=os.path.join(here, "probe"),
            allowUnsandboxed=True,
            forcePlain=True,
        )
    )
    request.pod_isolation = protection.facts() + facts
    os.makedirs(request.cache_directory, exist_ok=True)
    return request


def _leave_word(words):
    """The short form of the result, for whoever sees the pod but not its log. It counts for nothing by itself."""
    try:
        with open(_TERMINATION_FILE, "w") as handle:
            handle.write(json.dumps(words)[:_TERMINATION_BYTES])
    except OSError:
        pass


def _fail(status, error):
    protection.kill_all_others()
    _leave_word({"error": str(error)[-_TERMINATION_BYTES // 2 :]})
    return status
