import unittest

from reenact_supervisor.launch import Places
from reenact_supervisor.stacks import Classifier, parse_dump

PLACES = Places(
    {
        "subject": "/work/subject", "script": "/work/script", "probe": "/work/probe", "probe-out": "/o",
        "tools": "/t", "home": "/h", "tmp": "/tmp", "bytecode": None,
    }
)
CLASSIFY = Classifier(PLACES, ["/usr/lib/python3.11"])
DUMP = """Thread 0x00007f1 (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 320 in wait
  File "/work/probe/reenact_probe/dumps.py", line 4 in run

Thread 0x00007f2 [loader] (most recent call first):
  File "/usr/lib/python3/dist-packages/torch/x.py", line 7 in recv
  File "/work/subject/train.py", line 40 in worker
  File "<string>", line 1 in <module>
"""


class StackTest(unittest.TestCase):
    def test_frames_are_outermost_first_with_their_places(self):
        dump = parse_dump(DUMP, CLASSIFY)
        self.assertEqual([thread["name"] for thread in dump.threads], ["thread-0", "loader"])
        self.assertEqual(
            dump.threads[1]["frames"],
            [
                {"file": "<string>", "line": 1, "function": "<module>", "place": "other"},
                {"file": "train.py", "line": 40, "function": "worker", "place": "subject"},
                {"file": "/usr/lib/python3/dist-packages/torch/x.py", "line": 7, "function": "recv", "place": "dependency"},
            ],
        )
        self.assertEqual(dump.innermost()["function"], "worker")

    def test_the_probes_own_frames_are_left_out(self):
        self.assertEqual([frame["function"] for frame in parse_dump(DUMP, CLASSIFY).threads[0]["frames"]], ["wait"])

    def test_signatures_know_neither_thread_ids_nor_order(self):
        first, second = DUMP.split("\n\n")
        other = second.replace("0x00007f2", "0x00001234").rstrip() + "\n\n" + first + "\n"
        self.assertEqual(parse_dump(DUMP, CLASSIFY).signature, parse_dump(other, CLASSIFY).signature)
        moved = DUMP.replace("line 40", "line 41")
        self.assertNotEqual(parse_dump(DUMP, CLASSIFY).signature, parse_dump(moved, CLASSIFY).signature)

    def test_rubbish_gives_no_threads(self):
        self.assertEqual(parse_dump('  File "x", line 1 in y\nThread nothing\n\x00', CLASSIFY).threads, [])

    def test_a_mere_helper_has_no_own_code(self):
        helper = 'Current thread 0x1 (most recent call first):\n  File "/usr/lib/python3.11/multiprocessing/resource_tracker.py", line 2 in main\n'
        self.assertFalse(parse_dump(helper, CLASSIFY).has_own_code())
        self.assertTrue(parse_dump(DUMP, CLASSIFY).has_own_code())


if __name__ == "__main__":
    unittest.main()
