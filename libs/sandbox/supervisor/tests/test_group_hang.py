import unittest

from reenact_supervisor.pod.group_hang import NODE_PIDS, _Council


def look(pid, signature, busy=False, own=True):
    return [pid, signature, {"file": "a.py", "place": "subject", "function": signature}, own, busy]


class CouncilTest(unittest.TestCase):
    def setUp(self):
        self.now = 100.0
        self.council = _Council(2, 5.0)

    def silent(self, node, seconds=5.0):
        self.council.heard(node, {"kind": "silent", "seconds": seconds}, self.now)

    def round(self, *answers, number=None):
        """Moves on to the next round, gives the answers of the nodes, returns the stall."""
        due = None
        for _ in range(200):
            due = self.council.due(self.now)
            if due is not None:
                break
            self.now += 0.1
        for node, looks in enumerate(answers):
            ranks = [[entry[0], node] for entry in looks]
            words = {"looks": looks, "parents": [], "states": [[entry[0], "running"] for entry in looks], "ranks": ranks}
            self.council.heard(node, dict(words, kind="looked", round=due if number is None else number), self.now + 0.5)
        return self.council.stall

    def test_nobody_is_asked_before_all_are_silent(self):
        self.silent(0)
        self.assertIsNone(self.council.due(self.now + 60))
        self.silent(1)
        self.assertEqual(self.council.due(self.now), 1)
        self.assertIsNone(self.council.due(self.now + 60))

    def test_two_equal_rounds_of_sleeping_ranks_are_a_hang_of_all(self):
        self.silent(0, 9.0)
        self.silent(1, 5.0)
        looks = ([look(2, "a")], [look(NODE_PIDS + 2, "b")])
        self.assertIsNone(self.round(*looks))
        stall = self.round(*looks)
        self.assertEqual([(entry["pid"], entry["rank"]) for entry in stall["blocked"]], [(2, 0), (NODE_PIDS + 2, 1)])
        self.assertGreaterEqual(stall["silentSeconds"], 5.0)
        self.assertLess(stall["silentSeconds"], 9.0)

    def test_a_rank_that_works_on_another_node_is_no_hang(self):
        self.silent(0)
        self.silent(1)
        for number in range(30):
            self.assertIsNone(self.round([look(2, "recv")], [look(NODE_PIDS + 2, str(number), busy=True)]))

    def test_a_word_from_any_node_ends_the_suspicion(self):
        self.silent(0)
        self.silent(1)
        looks = ([look(2, "a")], [look(NODE_PIDS + 2, "b")])
        self.round(*looks)
        self.council.heard(1, {"kind": "active"}, self.now)
        self.assertIsNone(self.council.due(self.now + 60))
        self.silent(1)
        self.assertIsNone(self.round(*looks))
        self.assertIsNotNone(self.round(*looks))

    def test_an_answer_to_an_older_question_counts_for_nothing(self):
        self.silent(0)
        self.silent(1)
        looks = ([look(2, "a")], [look(NODE_PIDS + 2, "b")])
        self.round(*looks)
        self.assertIsNone(self.round(*looks, number=1))
        self.assertIsNone(self.council.due(self.now + 60))

    def test_a_node_without_processes_takes_part(self):
        self.silent(0)
        self.silent(1)
        self.round([look(2, "a")], [])
        self.assertEqual([entry["pid"] for entry in self.round([look(2, "a")], [])["blocked"]], [2])

    def test_a_word_after_the_last_look_takes_the_stall_back(self):
        self.silent(0)
        self.silent(1)
        looks = ([look(2, "a")], [look(NODE_PIDS + 2, "b")])
        self.round(*looks)
        self.round(*looks)
        self.council.heard(0, {"kind": "active"}, self.now)
        self.assertIsNone(self.council.stall)


if __name__ == "__main__":
    unittest.main()
