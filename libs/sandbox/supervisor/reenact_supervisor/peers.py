"""Who takes part in a trial: one supervisor alone, or several that agree on every step (`pod/group.py`)."""

from .hang import HangDetector

# How long the other ranks of a step may outlive one that failed.
PEER_GRACE_SECONDS = 10.0


class Alone:
    """The only supervisor of a trial. A group of several has the same methods, which then speak for all of its nodes."""

    node = 0
    hosts = ("127.0.0.1",)
    peer_grace_seconds = PEER_GRACE_SECONDS

    def fileno(self):
        """What becomes readable when `take` has something to do; None = it never has."""
        return None

    def take(self):
        """Handles what came from the others. Raises where one of them is lost."""

    def master_port(self, _step):
        """Port of a step's rendezvous; None = any that is free here."""
        return None

    def default_environment(self, _distributions, _temporary):
        """Variables for ranks on several machines that a launch may set otherwise."""
        return {}

    def begin(self, evidence, check_alive):
        """Waits until every node is ready, and makes the clock of the evidence that of all."""

    def arrive(self, place):
        """Says that this node has come to a place in the trial."""

    def passed(self, _place):
        """Whether all nodes have come to it."""
        return True

    def failed(self, _step, here):
        """Whether a rank of the step failed anywhere; `here` says whether one did on this node."""
        return here

    def over(self, _step, here):
        """Whether all ranks of the step have ended everywhere; `here` says whether they did on this node."""
        return here

    def reason(self, here):
        """What ended the trial on any node, None as long as it goes on; `here` is this node's own word."""
        return here

    def hang_detector(self, silent_seconds, looker, rank_of):
        return HangDetector(silent_seconds, looker, rank_of)

    def end(self, evidence, check_alive):
        """Waits until every node has all its evidence."""
