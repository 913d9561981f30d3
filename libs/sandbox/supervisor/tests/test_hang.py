import unittest

from reenact_supervisor.hang import HangDetector, Looker


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

    def __init__(self, pids, parents=None):
        self.outer_pids = {pid: pid for pid in pids}
        self._parents = parents or {}

    def has_child_among(self, pid, others):
        return any(self._parents.get(other) == pid for other in others)


def run(rounds, busy=(), parents=None, seconds=120):
    """Seconds until a stall and the stall, or (None, None); `busy` are the pids that work all the time."""
    pids = sorted({pid for dumps in rounds for pid in dumps})
    looker = Looker(FakeDumper(rounds), FakeIntake(pids), lambda pid, number, dump: None, lambda pid: pid in busy)
    detector = HangDetector(5.0, looker, lambda pid: None)
    detector.active(0.0)
    for tick in range(1, seconds * 10):
        stall = detector.tick(tick / 10, FakeView(pids, parents))
        if stall is not None:
            return tick / 10, stall
    return None, None


def changing(still=None):
    """Process 3 stands elsewhere in every round; process 2 stays where it is."""
    rounds = [{3: FakeDump(str(number))} for number in range(200)]
    for dumps in rounds if still is not None else []:
        dumps[2] = still
    return rounds


class HangTest(unittest.TestCase):
    def test_two_equal_dumps_of_sleeping_processes_are_a_hang(self):
        when, stall = run([{2: FakeDump("a"), 3: FakeDump("b")}])
        self.assertGreaterEqual(when, 7.0)
        self.assertLess(when, 9.0)
        self.assertEqual([entry["pid"] for entry in stall["blocked"]], [2, 3])

    def test_a_peer_elsewhere_is_named(self):
        _, stall = run(changing(FakeDump("a")))
        self.assertEqual([entry["pid"] for entry in stall["blocked"]], [2])
        self.assertEqual(stall["elsewhere"], [{"pid": 3, "state": "running"}])

    def test_changing_stacks_of_a_busy_process_are_work(self):
        self.assertIsNone(run(changing(), busy=(3,))[0])

    def test_a_busy_process_hangs_only_after_many_equal_dumps(self):
        when, _ = run([{2: FakeDump("spin")}], busy=(2,))
        self.assertGreaterEqual(when, 25.0)

    def test_work_that_mostly_stands_at_one_place_is_no_hang(self):
        rounds = [{2: FakeDump("backward" if number % 4 else "step")} for number in range(200)]
        self.assertIsNone(run(rounds, busy=(2,))[0])

    def test_a_parent_that_waits_for_a_busy_child_is_no_hang(self):
        self.assertIsNone(run(changing(FakeDump("join")), busy=(3,), parents={3: 2})[0])

    def test_one_rank_that_waits_for_one_that_works_is_no_hang(self):
        self.assertIsNone(run(changing(FakeDump("recv")), busy=(3,))[0])

    def test_an_idle_helper_process_is_no_hang(self):
        self.assertIsNone(run(changing(FakeDump("tracker", own=False)), busy=(3,), parents={2: 3})[0])

    def test_idle_workers_of_a_busy_parent_are_no_hang(self):
        self.assertIsNone(run(changing(FakeDump("queue")), busy=(3,), parents={2: 3})[0])

    def test_output_ends_a_suspicion(self):
        detector = HangDetector(5.0, Looker(FakeDumper([{2: FakeDump("a")}]), FakeIntake([2]), lambda *_: None, lambda pid: False), lambda pid: None)
        for tick in range(600):
            if tick % 40 == 0:
                detector.active(tick / 10)
            self.assertIsNone(detector.tick(tick / 10, FakeView([2])))


if __name__ == "__main__":
    unittest.main()
