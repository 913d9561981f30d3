"""Hang detection: silence of every process, little use of CPU or unchanging stacks, and equal dumps over time.

Silence with a busy CPU and changing stacks is work, not a hang.
"""

from . import processes

# Two dumps lie at least this far apart (verdict.md, oracle `hang`); a busy trial must show a third equal one.
_DUMPS_APART_SECONDS = 2.0
_DUMP_TAKES_SECONDS = 0.5
_ROUNDS_IDLE = 2
_ROUNDS_BUSY = 3
# Cores: below this average over the silent time the trial counts as idle.
_IDLE_CORES = 0.2
_AGAIN_AFTER_SECONDS = 5.0


class HangDetector:
    """`tick` is called a few times a second; it returns the stall's fields once the trial is found to hang."""

    def __init__(self, silent_seconds, dumper, intake, emit_stack):
        self._silent_seconds = silent_seconds
        self._dumper = dumper
        self._intake = intake
        self._emit_stack = emit_stack
        self._rounds = []
        self._asked_at = None
        self._next_at = 0.0
        self._last_activity = 0.0
        self._cpu_then = 0.0

    def active(self, now, cpu_seconds):
        """Something was printed or recorded: whatever was suspected is over."""
        self._last_activity, self._cpu_then = now, cpu_seconds
        self._rounds, self._asked_at = [], None

    def tick(self, now, view):
        """`view` is the watch's look at the trial: cpu_seconds, outer_pids, states, ended."""
        silence = now - self._last_activity
        if silence < self._silent_seconds or now < self._next_at:
            return None
        if self._asked_at is None:
            self._dumper.request(self._intake.ready, view.outer_pids)
            self._asked_at = now
            return None
        if now - self._asked_at < _DUMP_TAKES_SECONDS:
            return None
        self._rounds.append(self._collect(view))
        self._asked_at = None
        self._next_at = now + _DUMPS_APART_SECONDS
        idle = view.cpu_seconds - self._cpu_then < _IDLE_CORES * silence
        if len(self._rounds) < (_ROUNDS_IDLE if idle else _ROUNDS_BUSY):
            return None
        return self._decide(idle, silence, view, now)

    def _collect(self, view):
        """{inside pid: (signature, frame, whether it runs code of its own)} of this round."""
        found = {}
        for inner, dump in self._dumper.collect().items():
            self._emit_stack(inner, len(self._rounds), dump)
            found[inner] = (dump.signature, dump.innermost(), dump.has_own_code())
        for inner, outer in view.outer_pids.items():
            if inner not in found and inner not in self._intake.ready:
                found[inner] = ("kernel:" + (processes.wait_channel(outer) or "unknown"), None, True)
        return found

    def _decide(self, idle, silence, view, now):
        last = self._rounds[-1]
        blocked = [pid for pid in last if all(pid in r and r[pid][0] == last[pid][0] for r in self._rounds)]
        leaves = [pid for pid in last if last[pid][2] and not view.has_child_among(pid, last)]
        stuck = [pid for pid in leaves if pid in blocked]
        if stuck and (idle or len(stuck) == len(leaves)):
            elsewhere = [{"pid": pid, "state": "running"} for pid in view.outer_pids if pid not in blocked]
            return {
                "silentSeconds": round(silence, 3),
                "blocked": [{"pid": pid, "signature": last[pid][0], "at": last[pid][1]} for pid in sorted(blocked)],
                "elsewhere": elsewhere + view.ended,
            }
        self._rounds = []
        self._next_at = now + max(_AGAIN_AFTER_SECONDS, self._silent_seconds / 2)
        return None
