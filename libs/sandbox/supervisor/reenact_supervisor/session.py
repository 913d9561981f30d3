"""One trial's live parts: init, streams, first-level processes, watch and intakes, and the loop that serves them."""

import selectors
import time

from . import isolation, processes
from .crashes import read_crashes
from .hang import Looker
from .probe_intake import ProbeIntake
from .stacks import Classifier, StackDumper
from .streams import OutputBudget, Stream
from .watch import TICK_SECONDS, Watch

# How long processes may outlive the last step before they count as left behind.
_LEAVE_SECONDS = 0.5
_DUMP_AT_LIMIT_SECONDS = 0.3
_PROGRESS_SECONDS = 1.0


class Session:
    def __init__(self, init, evidence, setup):
        """`setup` holds request, group, plain (bool), places, probe_out, writable, standard_library, on_progress."""
        self.init = init
        self.evidence = evidence
        self.setup = setup
        self.limits = setup.request.limits
        self.reason = None
        self.processes = []
        self._budget = OutputBudget(self.limits.output_bytes)
        self._selector = selectors.DefaultSelector()
        self._selector.register(init.channel.fileno(), selectors.EVENT_READ, self._on_message)
        self.peers = setup.request.peers
        if self.peers.fileno() is not None:
            self._selector.register(self.peers.fileno(), selectors.EVENT_READ, self.peers.take)
        self.watch = Watch(self.limits, init.pid, setup.group, setup.writable)
        self.intake = ProbeIntake(setup.probe_out, evidence, self._tags_of)
        self._classify = Classifier(setup.places, setup.standard_library)
        self._dumper = StackDumper(setup.probe_out, self._classify)
        self._hang = None
        if setup.request.silent_seconds is not None:
            looker = Looker(self._dumper, self.intake, self._emit_stack)
            rank_of = lambda pid: self._tags_of(pid).get("rank")  # noqa: E731
            self._hang = self.peers.hang_detector(setup.request.silent_seconds, looker, rank_of)
        self._deadline = time.monotonic() + self.limits.wall_seconds
        self._next_tick = 0.0
        self._next_progress = 0.0
        self._bytes = 0
        self._seen = None
        self._dead = False
        self._stacks = 0

    # --- starting and serving

    def start(self, process, env, nice, tasks):
        """Starts a first-level process and waits for its id."""
        for channel in ("stdout", "stderr"):
            stream = Stream(channel, process.tags, self._budget)
            process.streams.append(stream)
        limits = {"fileBytes": self.limits.disk_bytes, "tasks": tasks, "nice": nice}
        message = {"id": process.identifier, "argv": process.argv, "env": env, "cwd": self.setup.places.subject, "limits": limits}
        self.processes.append(process)
        self.init.channel.send(message, [stream.write_end for stream in process.streams])
        for stream in process.streams:
            stream.close_write_end()
        while process.pid is None and process.exit is None and not self._dead:
            self._on_message()
        for stream in process.streams:
            self._selector.register(stream.fileno(), selectors.EVENT_READ, stream)
        if process.pid is not None:
            self.evidence.write("process", parent=1, argv=process.argv, **process.tags)

    def meet(self, place):
        """Waits until all nodes have come to a place; False where the trial ended before."""
        self.peers.arrive(place)
        while self.reason is None and not self.peers.passed(place):
            self._turn(TICK_SECONDS)
        return self.reason is None

    def serve(self, step, members):
        """Runs until every member of the step, on all nodes, has ended or a limit is passed; `reason` then says which."""
        peer_deadline = None
        while self.reason is None and not self.peers.over(step, all(member.exit for member in members)):
            self._turn(TICK_SECONDS)
            if peer_deadline is None and self.peers.failed(step, any(member.failed() for member in members)):
                peer_deadline = time.monotonic() + self.peers.peer_grace_seconds
            if peer_deadline is not None and time.monotonic() >= peer_deadline:
                self._end_peers(members)
        self._read_rest()

    def _turn(self, seconds):
        for key, _ in self._selector.select(seconds):
            if isinstance(key.data, Stream):
                self._pump(key.data)
            else:
                key.data()
        now = time.monotonic()
        if now >= self._deadline - (_DUMP_AT_LIMIT_SECONDS if self.intake.ready else 0):
            self._dump_before_limit()
            self.reason = self.reason or "wall-limit"
        elif self._budget.exceeded:
            self.reason = "output-limit"
        elif now >= self._next_tick:
            self._next_tick = now + TICK_SECONDS
            self._tick(now)
        if self._dead and self.reason is None:
            if not self.watch.out_of_memory():
                raise isolation.InitLost("the trial's first process ended by itself")
            self.reason = "memory-limit"
        self._agree()

    def _agree(self):
        """What ends the trial on one node ends it on all."""
        reason = self.peers.reason(self.reason)
        if self.reason is None and reason == "wall-limit":
            self._dump_before_limit()
        self.reason = reason

    def _tick(self, now):
        self.setup.check_alive()
        records = self.intake.collect()
        view = self.watch.look(self._ended())
        self.watch.sample(view, self.evidence)
        self.reason = self.reason or self.watch.passed_limit(view)
        self._watch_for_hang(now, view, records)
        self.setup.on_tick(now)
        if now >= self._next_progress:
            self._next_progress = now + _PROGRESS_SECONDS
            self.setup.on_progress(self.last_line())

    def _watch_for_hang(self, now, view, records):
        if self._hang is None or self.reason is not None:
            return
        activity = (self._bytes, len(view.states))
        if records or activity != self._seen:
            self._seen = activity
            self._hang.active(now)
            return
        stall = self._hang.tick(now, view)
        if stall is not None:
            self.evidence.write("stall", **stall)
            self.reason = "hang"

    def _on_message(self):
        message, _ = self.init.channel.receive()
        if message is None:
            self._dead = True
            try:
                self._selector.unregister(self.init.channel.fileno())
            except KeyError:
                pass
            return
        identifier = next((message[key] for key in ("started", "exit", "failed") if key in message), None)
        process = next((known for known in self.processes if known.identifier == identifier), None)
        if process is None:
            return
        if "started" in message:
            process.pid = message["pid"]
            process.tags["pid"] = message["pid"]
            return
        if "failed" in message:
            message = {"code": 127, "signal": None, "cpuSeconds": 0.0, "peakRssBytes": 0}
        message["wallSeconds"] = time.monotonic() - process.started
        process.exit = message

    def _pump(self, stream):
        count = stream.pump(self.evidence)
        self._bytes += count
        if not stream.open:
            self._selector.unregister(stream.fileno())
        return count

    def _read_rest(self):
        """Reads what is in the pipes without waiting for their end: something left behind may hold them open."""
        for process in self.processes:
            for stream in process.streams:
                while stream.open and not self._budget.exceeded and self._pump(stream):
                    pass
        self.intake.collect()

    # --- ending

    def end_step(self, members):
        """Writes the exit records of the members that are over."""
        for member in members:
            if member.exit and not member.recorded:
                self._record_exit(member, self._reason_of(member))
        self._agree()

    def _reason_of(self, member):
        if member.exit.get("peer"):
            return "peer"
        if member.exit["signal"] == "SIGKILL" and self.watch.out_of_memory():
            self.reason = self.reason or "memory-limit"
            return "memory-limit"
        if self._budget.exceeded:
            self.reason = self.reason or "output-limit"
            return "output-limit"
        full = member.exit["signal"] == "SIGXFSZ" or (member.exit["code"] != 0 and self.watch.disk_full_at_end())
        if full:
            self.reason = self.reason or "disk-limit"
            return "disk-limit"
        return "self"

    def _record_exit(self, member, reason):
        member.recorded = True
        end = member.exit
        alone = "rank" not in member.tags
        peak = max(end["peakRssBytes"], self.watch.peak_rss_bytes if alone else 0)
        # The kernel tells only what was waited for; a lone process answers for all that it started.
        cpu = max(end["cpuSeconds"], self.watch.cpu_seconds if len(self.processes) == 1 else 0)
        self.evidence.write(
            "exit", code=end["code"], signal=end["signal"], wallSeconds=round(end["wallSeconds"], 4),
            cpuSeconds=round(cpu, 4), peakRssBytes=peak, endedBy=reason, **member.tags,
        )

    def _end_peers(self, members):
        for member in members:
            if not member.exit:
                self._kill_tree(member)
                member.exit = self._killed(member)
                member.exit["peer"] = True

    def _kill_tree(self, member):
        outer = self.watch.look().outer_pids.get(member.pid)
        if outer is not None:
            for pid in reversed(processes.descendants(outer)):
                processes.kill_quietly(pid)
            processes.kill_quietly(outer)

    def _killed(self, member):
        wall = time.monotonic() - member.started
        alone = "rank" not in member.tags
        cpu = self.watch.look().cpu_seconds if alone else 0.0
        return {"code": None, "signal": "SIGKILL", "cpuSeconds": cpu, "peakRssBytes": 0, "wallSeconds": wall}

    def close(self):
        """Kills what is left, reads the last bytes; returns how many processes had to be killed beside the steps' own."""
        left = self._wait_for_leavers()
        running = [member for member in self.processes if not member.exit]
        for member in running:
            member.exit = self._killed(member)
        self.kill()
        left = max(0, left - len(running))
        self._read_rest()
        for process in self.processes:
            for stream in process.streams:
                stream.finish(self.evidence)
        self.intake.drain()
        self._emit_crashes()
        for member in self.processes:
            if not member.recorded:
                self._record_exit(member, self.reason or "self" if member in running else self._reason_of(member))
        return left

    def _wait_for_leavers(self):
        deadline = time.monotonic() + (0 if self.reason else _LEAVE_SECONDS)
        alive = len(self.watch.look().states)
        while alive and time.monotonic() < deadline:
            time.sleep(0.02)
            alive = len(self.watch.look().states)
        return alive

    def kill(self):
        """Kills everything of the trial, also what made sessions of its own."""
        if self.setup.group is not None:
            self.setup.group.forbid_forks()
        if self.setup.plain:
            processes.kill_descendants(self.init.pid)
        isolation.kill_init(self.init.pid)
        if self.setup.plain:
            processes.kill_marked(self.setup.marker)

    # --- what others ask

    def last_line(self):
        for process in reversed(self.processes):
            for stream in process.streams:
                if stream.last_line:
                    return stream.last_line[:400]
        return ""

    def _tags_of(self, inner_pid):
        for process in self.processes:
            if process.pid == inner_pid:
                return process.tags
        return {"step": self.processes[-1].tags["step"]} if self.processes else {}

    def _ended(self):
        over = [process for process in self.processes if process.exit and process.pid is not None]
        return [{"pid": process.pid, "state": process.end_state()} for process in over]

    def _emit_stack(self, inner, _round, dump):
        tags = dict(self._tags_of(inner), pid=inner)
        self.evidence.write("stack", number=self._stacks, signature=dump.signature, threads=dump.threads, **tags)
        self._stacks += 1

    def _emit_crashes(self):
        """What fatal signals left, as claims of the processes that they hit; late, so each tells its own time."""
        for inner, age, crash in read_crashes(self.setup.probe_out, self.intake.fatal, self._classify):
            t = max(0.0, self.evidence.now() - age)
            tags = dict(self._tags_of(inner), pid=inner)
            self.evidence.write("crash", source="probe", t=t, reason=crash.reason, frames=crash.frames, **tags)

    def _dump_before_limit(self):
        """Where a trial stood when its time ended is evidence too."""
        if not self.intake.ready:
            return
        self._dumper.request(self.intake.ready, self.watch.look().outer_pids)
        time.sleep(_DUMP_AT_LIMIT_SECONDS)
        for inner, dump in self._dumper.collect().items():
            self._emit_stack(inner, 0, dump)
