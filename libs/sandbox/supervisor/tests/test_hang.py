import unittest

from reenact_supervisor.hang import HangDetector


class FakeDump:
    def __init__(self, signature, own=True):
        self.signature = signature
        self._own = own

    def innermost(self):
        return {"file": "a.py", "place": "subject", "function": self.signature}

    def has_own_code(self):
        return self._own


class FakeDumper:
    """Gives the next scripted round of dumps at every collect."""

    def __init__(self, rounds):
        self._rounds = list(rounds)

    def request(self, _ready, _outer):
        pass

    def collect(self):
        return self._rounds.pop(0) if len(self._rounds) > 1 else self._rounds[0]


class FakeIntake:
    def __init__(self, pids):
        self.ready = {pid: (57, "f") for pid in pids}


class FakeView:
    ended = []

    def __init__(self, pids, cpu_seconds, parents=None):
        self.outer_pids = {pid: pid + 100 for pid in pids}
        self.cpu_seconds = cpu_seconds
        self._parents = parents or {}

    def has_child_among(self, pid, others):
        return any(self._parents.get(other) == pid for other in others)


def run(rounds, cores, seconds=60, parents=None):
    pids = sorted({pid for dumps in rounds for pid in dumps})
    stacks = []
    detector = HangDetector(5.0, FakeDumper(rounds), FakeIntake(pids), lambda pid, number, dump: stacks.append(pid))
    detector.active(0.0, 0.0)
    for tick in range(1, seconds * 10):
        now = tick / 10
        stall = detector.tick(now, FakeView(pids, now * cores, parents))
        if stall is not None:
            return now, stall
    return None, stacks


class HangTest(unittest.TestCase):
    def test_idle_and_equal_is_a_hang_after_two_dumps(self):
        when, stall = run([{2: FakeDump("a"), 3: FakeDump("b")}], cores=0.0)
        self.assertGreaterEqual(when, 7.0)
        self.assertLess(when, 9.0)
        self.assertEqual([entry["pid"] for entry in stall["blocked"]], [2, 3])

    def test_a_peer_elsewhere_is_named(self):
        rounds = [{2: FakeDump("a"), 3: FakeDump(str(number))} for number in range(30)]
        _, stall = run(rounds, cores=0.0)
        self.assertEqual([entry["pid"] for entry in stall["blocked"]], [2])
        self.assertEqual(stall["elsewhere"], [{"pid": 3, "state": "running"}])

    def test_busy_and_changing_is_work(self):
        when, _ = run([{2: FakeDump(str(number))} for number in range(60)], cores=1.0)
        self.assertIsNone(when)

    def test_busy_but_equal_needs_a_third_dump(self):
        when, _ = run([{2: FakeDump("spin")}], cores=1.0)
        self.assertGreaterEqual(when, 9.0)

    def test_a_parent_that_waits_for_a_busy_child_is_no_hang(self):
        rounds = [{2: FakeDump("join"), 3: FakeDump(str(number))} for number in range(60)]
        when, _ = run(rounds, cores=1.0, parents={3: 2})
        self.assertIsNone(when)

    def test_an_idle_helper_process_alone_is_no_hang(self):
        rounds = [{2: FakeDump(str(number)), 3: FakeDump("tracker", own=False)} for number in range(60)]
        when, _ = run(rounds, cores=1.0, parents={3: 2})
        self.assertIsNone(when)


if __name__ == "__main__":
    unittest.main()
