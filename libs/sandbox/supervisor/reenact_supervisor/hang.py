"""Hang detection: silence of every process, and stack dumps that stay equal.

A process that never was runnable while two dumps were equal is blocked. A busy process may well show equal dumps without
hanging (training stands in `backward` most of the time), so a spin needs many equal dumps over a long time. Silence with
work going on is no hang.
"""

from . import processes

# Two dumps lie at least this far apart (verdict.md, oracle `hang`).
_DUMPS_APART_SECONDS = 2.0
_DUMP_TAKES_SECONDS = 0.5
_ROUNDS_BLOCKED = 2
# Work that stands at one place for half of the time shows ten equal dumps by chance in 1 of 500 tries (2**-9); and the
# silence must have gone on for twice as long as was asked.
_ROUNDS_SPINNING = 10
_SPIN_LONGER = 2.0
_AGAIN_AFTER_SECONDS = 5.0


class Look:
    """One process in one round: what its stacks were, where it stood, whether it runs code of its own, whether it works."""

    def __init__(self, signature, frame, own_code, busy):
        self.signature = signature
        self.frame = frame
        self.own_code = own_code
        self.busy = busy


class HangDetector:
    """`tick` is called a few times a second; it returns the stall's fields once the trial is found to hang."""

    def __init__(self, silent_seconds, dumper, intake, emit_stack, is_busy=processes.is_busy):
        self._silent_seconds = silent_seconds
        self._dumper = dumper
        self._intake = intake
        self._emit_stack = emit_stack
        self._is_busy = is_busy
        self._rounds = []
        self._asked_at = None
        self._busy_when_asked = set()
        self._next_at = 0.0
        self._last_activity = 0.0

    def active(self, now):
        """Something was printed or recorded: whatever was suspected is over."""
        self._last_activity = now
        self._rounds, self._asked_at = [], None

    def tick(self, now, view):
        """`view` is the watch's look at the trial: outer_pids, states, ended."""
        silence = now - self._last_activity
        if silence < self._silent_seconds or now < self._next_at:
            return None
        if self._asked_at is None:
            # Looked at before the signal, which makes every process runnable for a moment.
            self._busy_when_asked = self._busy(view)
            self._dumper.request(self._intake.ready, view.outer_pids)
            self._asked_at = now
            return None
        if now - self._asked_at < _DUMP_TAKES_SECONDS:
            return None
        self._rounds.append(self._collect(view))
        self._asked_at = None
        self._next_at = now + _DUMPS_APART_SECONDS
        return self._decide(silence, view, now) if len(self._rounds) >= _ROUNDS_BLOCKED else None

    def _busy(self, view):
        return {inner for inner, outer in view.outer_pids.items() if self._is_busy(outer)}

    def _collect(self, view):
        """{inside pid: Look} of this round; a process without dumps is known by where it sleeps in the kernel."""
        busy = self._busy(view) | self._busy_when_asked
        found = {}
        for inner, dump in self._dumper.collect().items():
            self._emit_stack(inner, len(self._rounds), dump)
            found[inner] = Look(dump.signature, dump.innermost(), dump.has_own_code(), inner in busy)
        for inner, outer in view.outer_pids.items():
            if inner not in found and inner not in self._intake.ready:
                found[inner] = Look("kernel:" + processes.wait_channel(outer), None, True, inner in busy)
        return found

    def _decide(self, silence, view, now):
        last = self._rounds[-1]
        equal = [pid for pid in last if all(pid in r and r[pid].signature == last[pid].signature for r in self._rounds)]
        working = {pid for pid in last if any(pid in r and r[pid].busy for r in self._rounds)}
        own = [pid for pid in last if last[pid].own_code]
        # A parent that waits for its children says nothing about them.
        stuck = [pid for pid in own if pid in equal and not view.has_child_among(pid, own)]
        if stuck and not any(pid in working for pid in own):
            return self._stall(silence, equal, view)
        if not own or any(pid not in equal or last[pid].frame is None for pid in own):
            self._rounds = []
            self._next_at = now + max(_AGAIN_AFTER_SECONDS, self._silent_seconds / 2)
            return None
        if len(self._rounds) >= _ROUNDS_SPINNING and silence >= _SPIN_LONGER * self._silent_seconds:
            return self._stall(silence, equal, view)
        return None

    def _stall(self, silence, equal, view):
        last = self._rounds[-1]
        elsewhere = [{"pid": pid, "state": "running"} for pid in view.outer_pids if pid not in equal]
        return {
            "silentSeconds": round(silence, 3),
            "blocked": [{"pid": pid, "signature": last[pid].signature, "at": last[pid].frame} for pid in sorted(equal)],
            "elsewhere": elsewhere + view.ended,
        }
