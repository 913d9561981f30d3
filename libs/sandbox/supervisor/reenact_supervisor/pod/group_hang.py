"""Hang detection over the nodes of a trial: silence on all of them, and looks at all of their processes at the same time.

Every node says when it has been silent for long enough and when it no longer is. Once all are, the hub asks all for a
look, and judges the rounds as `hang.py` does those of one machine. No node decides by what it sees alone.
"""

import time

from ..hang import DUMPS_APART_SECONDS, Look, again_after, judge, parents_in, stall_of, states_of

# Ids of processes of node n are shown with n times this added: Linux gives none above 2**22 (proc(5), pid_max).
NODE_PIDS = 10000000


class GroupHang:
    """As HangDetector. `talk` is (send to the hub, send to all; None where this is not the hub), `place` is (node, number
    of nodes), `looking` is (looker, rank of an inside pid)."""

    def __init__(self, talk, place, silent_seconds, looking):
        self._tell, self._tell_all = talk
        self._node, self._nodes = place
        self._silent_seconds = silent_seconds
        self._looker, self._rank_of = looking
        self._last_activity = time.monotonic()
        self._is_silent = False
        self._asked = None
        self._council = _Council(self._nodes, silent_seconds)

    def active(self, now):
        self._last_activity = now
        self._asked = None
        self._looker.forget()
        if self._is_silent:
            self._is_silent = False
            self._tell({"kind": "active"})

    def tick(self, now, view):
        silence = now - self._last_activity
        if not self._is_silent and silence >= self._silent_seconds:
            self._is_silent = True
            self._tell({"kind": "silent", "seconds": silence})
        if self._asked is not None:
            looks = self._looker.look(now, view, self._asked)
            if looks is not None:
                number, self._asked = self._asked, None
                self._tell(dict(self._words(looks, view), kind="looked", round=number))
        return None if self._tell_all is None else self._council_says()

    def asked(self, number):
        """The hub asks for a look. A node that is no longer silent has said so already."""
        if self._is_silent:
            self._looker.forget()
            self._asked = number

    def heard(self, node, message):
        """The hub's part: a node is silent, no longer is, or has looked."""
        self._council.heard(node, message, time.monotonic())

    def _council_says(self):
        number = self._council.due(time.monotonic())
        if number is not None:
            self._tell_all({"kind": "look", "round": number})
        return self._council.stall

    def _words(self, looks, view):
        states = states_of(view)
        return {
            "looks": [[self._global(pid), look.signature, look.frame, look.own_code, look.busy] for pid, look in looks.items()],
            "parents": [self._global(pid) for pid in parents_in(looks, view)],
            "states": [[self._global(pid), state] for pid, state in states.items()],
            "ranks": [[self._global(pid), self._rank_of(pid)] for pid in set(states) | set(looks)],
        }

    def _global(self, pid):
        return self._node * NODE_PIDS + pid


class _Council:
    """What the hub knows of all nodes' silence."""

    def __init__(self, nodes, silent_seconds):
        self._nodes = nodes
        self._silent_seconds = silent_seconds
        self._silent_since = {}
        self._rounds = []
        self._number = 0
        self._answers = None
        self._next_at = 0.0
        # The fields of the record once all hang.
        self.stall = None

    def heard(self, node, message, now):
        if message["kind"] == "silent":
            self._silent_since[node] = now - message["seconds"]
        elif message["kind"] == "active":
            self._silent_since.pop(node, None)
            self._rounds, self._answers, self.stall = [], None, None
        elif self._answers is not None and message["round"] == self._number:
            self._answers[node] = message
            if len(self._answers) == self._nodes:
                self._close_round(now)

    def due(self, now):
        """The number of a look that all are to be asked for now, or None."""
        if len(self._silent_since) < self._nodes or self._answers is not None or now < self._next_at:
            return None
        self._number += 1
        self._answers = {}
        return self._number

    def _close_round(self, now):
        answers, self._answers = list(self._answers.values()), None
        looks = {entry[0]: Look(*entry[1:]) for answer in answers for entry in answer["looks"]}
        self._rounds.append(looks)
        self._next_at = now + DUMPS_APART_SECONDS
        silence = now - max(self._silent_since.values())
        parents = {pid for answer in answers for pid in answer["parents"]}
        found = judge(self._rounds, parents, silence, self._silent_seconds)
        if found == "hang":
            states = {pid: state for answer in answers for pid, state in answer["states"]}
            ranks = {pid: rank for answer in answers for pid, rank in answer["ranks"]}
            self.stall = stall_of(self._rounds, states, ranks.get, silence)
        elif found == "work":
            self._rounds = []
            self._next_at = now + again_after(self._silent_seconds)
