"""Hang detection: silence of every process, and stack dumps that stay equal.

A process that never was runnable while two dumps were equal is blocked. A busy process may well show equal dumps without
hanging (training stands in `backward` most of the time), so a spin needs many equal dumps over a long time. Silence with
work going on is no hang.
"""

from . import processes

# Two dumps lie at least this far apart (verdict.md, oracle `hang`).
DUMPS_APART_SECONDS = 2.0
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


def judge(rounds, parents, silence, silent_seconds):
    """What rounds of looks, each {process: Look}, say: `hang`, `work` (all of it is forgotten) or `more` (another round).

    `parents` are processes with a child among those that run code of their own: they say nothing about them."""
    if len(rounds) < _ROUNDS_BLOCKED:
        return "more"
    last = rounds[-1]
    equal = equal_in(rounds)
    working = {process for process in last if any(process in r and r[process].busy for r in rounds)}
    own = [process for process in last if last[process].own_code]
    stuck = [process for process in own if process in equal and process not in parents]
    if stuck and not any(process in working for process in own):
        return "hang"
    if not own or any(process not in equal or last[process].frame is None for process in own):
        return "work"
    return "hang" if len(rounds) >= _ROUNDS_SPINNING and silence >= _SPIN_LONGER * silent_seconds else "more"


def equal_in(rounds):
    """Processes whose stacks were the same in every round."""
    last = rounds[-1]
    return [p for p in last if all(p in r and r[p].signature == last[p].signature for r in rounds)]


def again_after(silent_seconds):
    """Seconds after which silence with work going on is looked at again."""
    return max(_AGAIN_AFTER_SECONDS, silent_seconds / 2)


def stall_of(rounds, states, rank_of, silence):
    """The fields of a stall record. `states` has a word for every process of the trial that is known by now: `running`, or
    how a first-level one ended. `rank_of(process)` gives its rank or None."""
    last, equal = rounds[-1], equal_in(rounds)
    blocked = [{"pid": pid, "signature": last[pid].signature, "at": last[pid].frame} for pid in sorted(equal)]
    elsewhere = [{"pid": pid, "state": state} for pid, state in states.items() if pid not in equal]
    for entry in blocked + elsewhere:
        rank = rank_of(entry["pid"])
        if rank is not None:
            entry["rank"] = rank
    return {"silentSeconds": round(silence, 3), "blocked": blocked, "elsewhere": elsewhere}


def states_of(view):
    """{inside pid: word} of the view's processes, living ones first."""
    states = {pid: "running" for pid in view.outer_pids}
    states.update((entry["pid"], entry["state"]) for entry in view.ended)
    return states


class Looker:
    """Takes rounds of looks: asks for dumps, and half a second later has what every process of the view shows."""

    def __init__(self, dumper, intake, emit_stack, is_busy=processes.is_busy):
        self._dumper = dumper
        self._intake = intake
        self._emit_stack = emit_stack
        self._is_busy = is_busy
        self._asked_at = None
        self._busy_when_asked = set()

    def forget(self):
        self._asked_at = None

    def look(self, now, view, number):
        """{inside pid: Look} of the round `number` once it is there, None before; called until then."""
        if self._asked_at is None:
            # Looked at before the signal, which makes every process runnable for a moment.
            self._busy_when_asked = self._busy(view)
            self._dumper.request(self._intake.ready, view.outer_pids)
            self._asked_at = now
            return None
        if now - self._asked_at < _DUMP_TAKES_SECONDS:
            return None
        self._asked_at = None
        return self._collect(view, number)

    def _busy(self, view):
        return {inner for inner, outer in view.outer_pids.items() if self._is_busy(outer)}

    def _collect(self, view, number):
        """A process without dumps is known by where it sleeps in the kernel."""
        busy = self._busy(view) | self._busy_when_asked
        found = {}
        for inner, dump in self._dumper.collect().items():
            self._emit_stack(inner, number, dump)
            found[inner] = Look(dump.signature, dump.innermost(), dump.has_own_code(), inner in busy)
        for inner, outer in view.outer_pids.items():
            if inner not in found and inner not in self._intake.ready:
                found[inner] = Look("kernel:" + processes.wait_channel(outer), None, True, inner in busy)
        return found


def parents_in(looks, view):
    """Those of a round that have a child among the ones with code of their own."""
    own = [pid for pid in looks if looks[pid].own_code]
    return {pid for pid in own if view.has_child_among(pid, own)}


class HangDetector:
    """`tick` is called a few times a second; it returns the stall's fields once the trial is found to hang."""

    def __init__(self, silent_seconds, looker, rank_of):
        self._silent_seconds = silent_seconds
        self._looker = looker
        self._rank_of = rank_of
        self._rounds = []
        self._next_at = 0.0
        self._last_activity = 0.0

    def active(self, now):
        """Something was printed or recorded: whatever was suspected is over."""
        self._last_activity = now
        self._rounds = []
        self._looker.forget()

    def tick(self, now, view):
        """`view` is the watch's look at the trial: outer_pids, states, ended."""
        silence = now - self._last_activity
        if silence < self._silent_seconds or now < self._next_at:
            return None
        looks = self._looker.look(now, view, len(self._rounds))
        if looks is None:
            return None
        self._rounds.append(looks)
        self._next_at = now + DUMPS_APART_SECONDS
        found = judge(self._rounds, parents_in(looks, view), silence, self._silent_seconds)
        if found == "hang":
            return stall_of(self._rounds, states_of(view), self._rank_of, silence)
        if found == "work":
            self._rounds = []
            self._next_at = now + again_after(self._silent_seconds)
        return None
