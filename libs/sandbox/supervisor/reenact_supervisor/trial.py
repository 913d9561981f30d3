"""Runs one trial from its request to its evidence: prepares, starts the steps one after another, closes."""

import os
import socket
import time

from . import cgroups, isolation, launch, linux, rootfs
from .busy import busy_beside
from .bytecode import bytecode_cache
from .first_level import Process
from .interpreter import describe
from .left_files import file_facts
from .probe_copy import probe_copy
from .session import Session
from .watch import free_memory_bytes
from .workspace import Workspace

# RLIMIT_NPROC counts per user namespace since this kernel; before, other processes of the same user would count.
_NPROC_PER_NAMESPACE_SINCE = (5, 14)
# Threads count as tasks, so the hard ceiling lies well above the number of processes that is allowed.
_TASKS_PER_PROCESS = 4
_LEAST_TASKS = 2048
_SUPERVISOR_NICE = -10
_CANDIDATE_NICE = 5
_TREE_LOOK_SECONDS = 1.0
_TREE_LOOK_SHARE = 0.05
# Larger trees are looked at when a step ends only: one look would hold up the clock.
_TREE_LOOK_FILES = 10000


class Setup:
    """What a session needs to know; see Session."""

    def __init__(self, request, group, plain, places):
        self.request = request
        self.group = group
        self.plain = plain
        self.places = places
        self.probe_out = ""
        self.temporary = ""
        self.writable = []
        self.standard_library = []
        self.marker = b""
        self.on_progress = lambda line: None
        self.check_alive = lambda: None
        self.on_tick = lambda now: None


def run_trial(request, on_progress, check_alive):
    """Returns {evidencePath, scriptSeconds, seconds}; `check_alive` raises when the adapter is gone.

    Raises IsolationRefused, Busy, InterpreterFailed, RequestInvalid, OSError."""
    began = time.monotonic()
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    facts = describe(request.interpreter, request.cache_directory)
    request.probe_directory = probe_copy(request.probe_directory, request.interpreter, facts["version"], request.cache_directory)
    request.bytecode_directory = bytecode_cache(
        request.interpreter, facts, request.cache_directory, _waiting(on_progress, check_alive)
    )
    workspace = Workspace(request.work_directory, request.execution_id)
    try:
        return _timed(_run_in(workspace, request, facts, (on_progress, check_alive)), began)
    finally:
        workspace.remove()


def _waiting(on_progress, check_alive):
    def on_wait():
        check_alive()
        on_progress("compiling the environment's byte code (once)")

    return on_wait


def _timed(result, began):
    return dict(result, seconds=time.monotonic() - began)


def _run_in(workspace, request, facts, callbacks):
    owner = (isolation.INNER_ID, isolation.INNER_ID) if os.geteuid() == 0 and not request.force_plain else None
    subject = workspace.fill(request, owner)
    launch.write_tools(workspace.of("tools"), request.interpreter)
    group = cgroups.create(request.limits.memory_bytes, _tasks(request))
    init = None
    try:
        init, plain = _start_init(workspace, request, facts, group)
        setup = _setup(workspace, request, facts, group, plain)
        setup.on_progress, setup.check_alive = callbacks
        return _record(setup, init, facts, subject)
    finally:
        if init is not None:
            isolation.kill_init(init.pid)
        if group is not None:
            group.remove()


def _start_init(workspace, request, facts, group):
    """Isolated where the system allows; plain only where the request agrees."""
    join = (lambda pid: group.add(pid)) if group is not None else (lambda pid: None)
    if not request.force_plain:
        read_only = [(path, path) for path in facts["paths"]]
        read_only += [(workspace.of(name), "%s/%s" % (rootfs.WORK, name)) for name in ("script", "tools")]
        read_only.append((request.probe_directory, rootfs.PROBE))
        if request.bytecode_directory is not None:
            read_only.append((request.bytecode_directory, rootfs.BYTECODE))
        writable = [(workspace.of(name), "%s/%s" % (rootfs.WORK, name)) for name in ("subject", "probe-out", "home")]
        writable.append((workspace.of("tmp"), "/tmp"))
        shm = min(request.limits.memory_bytes, free_memory_bytes() // 2)
        plan = rootfs.RootPlan(workspace.of("root"), read_only, writable, request.network, shm)
        try:
            return isolation.start_isolated(plan, join), False
        except isolation.IsolationRefused:
            if not request.allow_unsandboxed:
                raise
    elif not request.allow_unsandboxed:
        raise isolation.IsolationRefused("no isolation was asked for, and running without is not allowed")
    return isolation.start_plain(workspace.path, join), True


def _setup(workspace, request, facts, group, plain):
    names = ("subject", "script", "probe-out", "tools", "home")
    if plain:
        paths = {name: workspace.of(name) for name in names}
        paths.update(probe=request.probe_directory, tmp=workspace.of("tmp"), bytecode=request.bytecode_directory)
    else:
        paths = {name: "%s/%s" % (rootfs.WORK, name) for name in names}
        paths.update(probe=rootfs.PROBE, tmp="/tmp", bytecode=rootfs.BYTECODE if request.bytecode_directory else None)
    places = launch.Places(paths)
    setup = Setup(request, group, plain, places)
    setup.probe_out = workspace.of("probe-out")
    setup.temporary = workspace.of("tmp")
    setup.writable = workspace.writable_places()
    setup.standard_library = facts["path"]
    setup.marker = b"REENACT_TRIAL=" + os.path.basename(workspace.path).encode()
    return setup


def _record(setup, init, facts, subject):
    request = setup.request
    evidence = request.open_evidence()
    try:
        request.peers.begin(evidence, setup.check_alive)
        _write_preamble(evidence, setup, init, facts, subject)
        session = Session(init, evidence, setup)
        setup.on_tick = _tree_watch(subject, evidence)
        steps_began = time.monotonic()
        with busy_beside(request.load * len(os.sched_getaffinity(0)), _CANDIDATE_NICE):
            _run_steps(session, setup, facts, subject)
        script_seconds = time.monotonic() - steps_began
        left = session.close()
        tree_hash, changed = subject.check(read_all=True)
        evidence.write("subject", when="after", treeHash=tree_hash, changed=changed)
        for path in request.watched_files:
            evidence.write("file", **file_facts(path, subject, setup.temporary))
        request.peers.end(evidence, setup.check_alive)
        path = evidence.finish(left)
        return {"evidencePath": path, "scriptSeconds": script_seconds}
    except BaseException:
        evidence.discard()
        raise


def _write_preamble(evidence, setup, init, facts, subject):
    parts = init.isolation + (["cgroup-" + name for name in setup.group.controllers] if setup.group else [])
    sandbox = "none" if setup.plain else "namespaces"
    if setup.request.pod_isolation is not None:
        sandbox, parts = "pod", setup.request.pod_isolation
    evidence.write(
        "begin", protocol=1, sandbox=sandbox, isolation=parts,
        kernel=os.uname().release, cpus=len(os.sched_getaffinity(0)), **({"load": setup.request.load} if setup.request.load else {})
    )
    evidence.write("environment", python=facts["python"], platform=facts["platform"], distributions=facts["distributions"])
    evidence.write("subject", when="before", treeHash=subject.tree_hash(), changed=[])


def _run_steps(session, setup, facts, subject):
    request = setup.request
    env = launch.environment_of(request, setup.places)
    env["REENACT_TRIAL"] = setup.marker.partition(b"=")[2].decode()
    nice = _prefer_ourselves()
    tasks = None if setup.plain or linux.kernel_version() < _NPROC_PER_NAMESPACE_SINCE else _tasks(request)
    for index, step in enumerate(request.steps):
        if not session.meet("step %d" % index):
            return
        argv = launch.argv_of(step, request.interpreter, facts["version"], setup.places)
        members = []
        for rank, own in _ranks(index, step, setup, facts):
            member = Process(len(session.processes), index, rank, argv)
            members.append(member)
            session.start(member, dict(own[0], **dict(env, **own[1])), nice, tasks)
        session.serve(index, members)
        session.end_step(members)
        tree_hash, changed = subject.check()
        session.evidence.write("subject", when="during", treeHash=tree_hash, changed=changed, step=index)
        here = any(member.exit is None or member.exit["code"] != 0 for member in members)
        if session.reason is not None or (request.peers.failed(index, here) and not step.continue_on_error):
            return


def _ranks(index, step, setup, facts):
    """(rank, (variables that the launch may set otherwise, variables that it may not)) of what this node runs of a step."""
    request, peers = setup.request, setup.request.peers
    if step.ranks == 1:
        return [(None, ({}, {}))] if peers.node == 0 else []
    port = peers.master_port(index)
    if port is None:
        port = launch.inner_port(index) if not setup.plain and not request.network else _free_port()
    defaults = peers.default_environment(facts["distributions"], setup.places.temporary)
    ranks = []
    for rank in launch.ranks_of(step.ranks, peers):
        place = launch.RankPlace(rank, step.ranks, peers, port)
        ranks.append((rank, (dict(defaults, **launch.framework_environment(place)), launch.rank_environment(place))))
    return ranks


def _tree_watch(subject, evidence):
    """Hashes during the run: an edit that is taken back later must still show."""
    if len(subject) > _TREE_LOOK_FILES:
        return lambda now: None
    state = {"next": 0.0, "changed": []}

    def look(now):
        if now < state["next"]:
            return
        tree_hash, changed = subject.check()
        took = time.monotonic() - now
        state["next"] = now + max(_TREE_LOOK_SECONDS, took / _TREE_LOOK_SHARE)
        if changed != state["changed"]:
            state["changed"] = changed
            evidence.write("subject", when="during", treeHash=tree_hash, changed=changed)

    return look


def _tasks(request):
    return max(_LEAST_TASKS, _TASKS_PER_PROCESS * request.limits.processes)


def _prefer_ourselves():
    """A busy trial must not keep the supervisor from its clock; returns the nice value for candidates."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, _SUPERVISOR_NICE)
        return 0
    except OSError:
        return _CANDIDATE_NICE


def _free_port():
    with socket.socket() as handle:
        handle.bind(("127.0.0.1", 0))
        return handle.getsockname()[1]
