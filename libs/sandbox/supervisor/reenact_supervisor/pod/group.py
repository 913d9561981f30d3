"""Several supervisors that run one trial together: they begin every step at once, and what ends it on one ends it on all.

Node 0 is the hub: it hears what each node says, its own main loop included, and tells all of them what follows. The same
methods as `Alone` has, for the trial that knows nothing of nodes.
"""

import time

from .group_hang import GroupHang
from .side.hub import Hub
from .side.resolve import Resolver, interface_of
from .side.spoke import Spoke

_WAIT_SECONDS = 0.1
_COMPLETE, _BEGIN, _END = "complete", "begin", "end"
# Since this version torch knows its flight recorder by a name of its own, and warns of the one that came before.
_RECORDER_RENAMED = (2, 9)
_RECORDED_CALLS = "2000"


class PeersLost(Exception):
    """The nodes could not be brought together, or one of them went away: what ran meanwhile counts for nothing."""


class Group:
    """`ranks` is the part of the configuration with that name: hosts, ports and durations."""

    def __init__(self, ranks, node, nonce):
        self.node = node
        self.hosts = tuple(ranks["hosts"])
        self.peer_grace_seconds = ranks["peerGraceSeconds"]
        self._ranks = ranks
        self._nonce = nonce
        self._side = None
        self._address = None
        self._joined = {}
        self._is_complete = False
        self._said = set()
        self._there = {}
        self._passed = {}
        self._failed = set()
        self._reason = None
        self._hang = None
        self._closed = False

    # --- coming together

    def join(self, words, check_alive):
        """Finds every node and agrees with it on `words`. Raises PeersLost when the time for that is over."""
        deadline = time.monotonic() + self._ranks["joinSeconds"]
        if self.node == 0:
            self._side = Hub(self._ranks["sidePort"], len(self.hosts), self._nonce, self._ranks)
            self._side.start()
        addresses = self._resolve(deadline, check_alive)
        self._address = addresses[self.hosts[self.node]]
        if self.node == 0:
            self._gather(words, deadline, check_alive)
        else:
            self._side = Spoke(addresses[self.hosts[0]], self._ranks["sidePort"], self.node, self._nonce, self._ranks)
            self._side.join(words)
            self._side.start()
            self._wait(lambda: self.passed(_COMPLETE), check_alive, deadline)
            self._wait(self._side.is_clock_known, check_alive, deadline)

    def _resolve(self, deadline, check_alive):
        resolver = Resolver(self.hosts)
        try:
            while not resolver.is_done():
                check_alive()
                if time.monotonic() > deadline:
                    raise PeersLost("no address of %s" % ", ".join(resolver.missing()[:4]))
                time.sleep(_WAIT_SECONDS / 2)
            return resolver.addresses
        finally:
            resolver.stop()

    def _gather(self, words, deadline, check_alive):
        self._wait(lambda: len(self._joined) == len(self.hosts) - 1, check_alive, deadline)
        other = next((node for node in sorted(self._joined) if self._joined[node] != words), None)
        if other is not None:
            self._side.break_off("node %d was given another task" % other)
            raise PeersLost(self._side.problem)
        self._is_complete = True
        self._side.complete()
        self._side.send(None, {"kind": "passed", "place": _COMPLETE, "at": 0.0})

    def _left(self, node):
        """A node went away while others were still awaited: it may come again, unless that was the last of them."""
        self._joined.pop(node, None)
        if self._is_complete:
            self._side.break_off("node %d is lost: it went away when all were there" % node)

    def _wait(self, is_there, check_alive, deadline=None):
        while True:
            check_alive()
            self.take()
            if is_there():
                return
            if deadline is not None and time.monotonic() > deadline:
                raise PeersLost("the nodes did not come together within %d s" % self._ranks["joinSeconds"])
            self._side.pause(_WAIT_SECONDS)

    # --- what a trial asks for, as of Alone

    def fileno(self):
        return self._side.fileno()

    def take(self):
        for node, message in self._side.take():
            if self.node == 0:
                self._decide(node, message)
            else:
                self._follow(message)
        self._check()

    def master_port(self, step):
        return self._ranks["masterPort"] + step

    def default_environment(self, distributions, temporary):
        interface = interface_of(self._address)
        named = {} if interface is None else {"GLOO_SOCKET_IFNAME": interface, "NCCL_SOCKET_IFNAME": interface}
        return dict(named, NCCL_DEBUG="WARN", TORCH_NCCL_DUMP_ON_TIMEOUT="1", **_recorder(distributions, temporary))

    def begin(self, evidence, check_alive):
        self.arrive(_BEGIN)
        self._wait(lambda: self.passed(_BEGIN), check_alive)
        ahead = 0.0 if self.node == 0 else self._side.clock.fix()
        evidence.began = self._passed[_BEGIN] - ahead

    def arrive(self, place):
        self._tell({"kind": "arrive", "place": place})

    def passed(self, place):
        return place in self._passed

    def failed(self, step, here):
        if here:
            self._say_once({"kind": "failed", "step": step})
        return step in self._failed

    def over(self, step, here):
        place = "step %d is over" % step
        if here:
            self._say_once({"kind": "arrive", "place": place})
        return self.passed(place)

    def reason(self, here):
        if here is not None:
            self._say_once({"kind": "reason", "reason": here})
        return here or self._reason

    def hang_detector(self, silent_seconds, looker, rank_of):
        talk = (self._tell, self._tell_all if self.node == 0 else None)
        self._hang = GroupHang(talk, (self.node, len(self.hosts)), silent_seconds, (looker, rank_of))
        return self._hang

    def end(self, evidence, check_alive):
        if self.node != 0:
            message = "times of node %d are those of node 0 within %.6f s" % (self.node, self._side.clock.error_seconds())
            evidence.write("notice", code="clock-bound", message=message)
        self.arrive(_END)
        self._wait(lambda: self.passed(_END), check_alive)
        self._closed = True

    def close(self):
        """Ends the side channel; after `end`, so that the others miss nothing."""
        if self._side is not None:
            self._side.stop(self._ranks["beatSeconds"] * 2)

    # --- how nodes talk

    def _check(self):
        if self._side.problem is not None and not self._closed:
            raise PeersLost(self._side.problem)

    def _say_once(self, message):
        key = tuple(sorted(message.items()))
        if key not in self._said:
            self._said.add(key)
            self._tell(message)

    def _tell(self, message):
        """To node 0, which may be this one."""
        if self.node == 0:
            self._decide(0, message)
        else:
            self._side.send(0, message)

    def _tell_all(self, message):
        self._side.send(None, message)
        self._follow(message)

    def _decide(self, node, message):
        """The hub's part: what follows from what a node says."""
        if message["kind"] == "join":
            self._joined[node] = {name: message[name] for name in message if name != "kind"}
        elif message["kind"] == "left":
            self._left(node)
        elif message["kind"] == "arrive":
            there = self._there.setdefault(message["place"], set())
            there.add(node)
            if len(there) == len(self.hosts):
                self._tell_all({"kind": "passed", "place": message["place"], "at": time.monotonic()})
        elif message["kind"] == "failed" and message["step"] not in self._failed:
            self._tell_all({"kind": "failed-somewhere", "step": message["step"]})
        elif message["kind"] == "reason" and self._reason is None:
            self._tell_all({"kind": "ended", "reason": message["reason"]})
        elif message["kind"] in ("silent", "active", "looked") and self._hang is not None:
            self._hang.heard(node, message)

    def _follow(self, message):
        """Every node's part: what the hub tells."""
        if message["kind"] == "passed":
            self._passed[message["place"]] = message["at"]
            if message["place"] == _COMPLETE:
                self._side.complete()
            elif message["place"] == _END:
                self._side.done()
        elif message["kind"] == "failed-somewhere":
            self._failed.add(message["step"])
        elif message["kind"] == "ended":
            self._reason = message["reason"]
        elif message["kind"] == "look" and self._hang is not None:
            self._hang.asked(message["round"])
        elif message["kind"] == "broken":
            raise PeersLost(message["words"])


def _recorder(distributions, temporary):
    """The variables that make torch remember its last collectives, and where it writes them when one of them takes too long."""
    torch = next((entry["version"] for entry in distributions if entry["name"].lower() == "torch"), "")
    numbers = [int(part) for part in torch.split(".")[:2] if part.isdigit()]
    renamed = len(numbers) == 2 and tuple(numbers) >= _RECORDER_RENAMED
    names = ("TORCH_FR_BUFFER_SIZE", "TORCH_FR_DUMP_TEMP_FILE")
    if not renamed:
        names = ("TORCH_NCCL_TRACE_BUFFER_SIZE", "TORCH_NCCL_DEBUG_INFO_TEMP_FILE")
    return dict(zip(names, (_RECORDED_CALLS, "%s/nccl_trace_rank_" % temporary)))
