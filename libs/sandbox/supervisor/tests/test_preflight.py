import os
import sys
import tempfile
import unittest
from unittest import mock

from reenact_supervisor.pod import preflight

_GIB = 1024**3


class CheckNode(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.scratch = folder.name
        self.needs = {"scratchBytes": 1, "sharedMemoryBytes": 1, "memoryBytes": _GIB, "gpus": 0, "limitMayHide": False}
        self._replace("memory_limit", lambda: _GIB)

    def _replace(self, name, value):
        patch = mock.patch.object(preflight, name, value)
        patch.start()
        self.addCleanup(patch.stop)

    def _check(self, **needs):
        return preflight.check_node(dict(self.needs, **needs), self.scratch, "/nowhere")

    def _unfit(self, **needs):
        with self.assertRaises(preflight.NodeUnfit) as caught:
            self._check(**needs)
        return str(caught.exception)

    def test_says_that_gpus_were_not_checked_where_none_were_asked_for(self):
        self.assertEqual(self._check(), ["gpu-check=skipped: no GPU asked for"])
        self.assertEqual(os.listdir(self.scratch), [])
        self.assertEqual([name for name in os.listdir("/dev/shm") if name.startswith(".reenact-check")], [])

    def test_needs_a_scratch_to_write_to_with_room(self):
        self.assertIn("bytes of room", self._unfit(scratchBytes=2**60))
        self.scratch = os.path.join(self.scratch, "missing")
        self.assertIn("cannot be written to", self._unfit())

    def test_needs_shared_memory_of_its_own_as_large_as_asked(self):
        self.assertIn("/dev/shm has", self._unfit(sharedMemoryBytes=2**60))
        size = os.statvfs("/dev/shm").f_blocks * os.statvfs("/dev/shm").f_frsize
        self.assertTrue(self._check(sharedMemoryBytes=size + 4095))
        self._replace("_SHARED_MEMORY", self.scratch)
        self.assertIn("no volume of its own", self._unfit())

    def test_needs_the_limit_of_memory_that_was_asked_for(self):
        self.assertTrue(self._check(memoryBytes=_GIB + 4095))
        for other in (_GIB // 2, 2 * _GIB):
            self.assertIn("limit of memory is %d bytes" % _GIB, self._unfit(memoryBytes=other))
        self._replace("memory_limit", lambda: None)
        self.assertIn("shows no limit", self._unfit())
        self.assertEqual(self._check(limitMayHide=True)[0], "memory-limit=hidden")

    def test_hands_on_what_the_check_of_gpus_finds(self):
        def answer(text):
            with mock.patch.object(preflight, "run_check", lambda *arguments: text):
                return self._check(gpus=2)

        self.assertEqual(answer(b'noise of a driver\n{"facts": ["gpu=x"]}\n'), ["gpu=x"])
        for text, words in (
            (b'{"problem": "GPU 1 is in use"}', "GPU 1 is in use"),
            (b"", "nothing that can be read"),
            (b"[]", "nothing that can be read"),
            (b"{}", "None"),
        ):
            with self.assertRaises(preflight.NodeUnfit) as caught:
                answer(text)
            self.assertIn(words, str(caught.exception))

    def test_really_starts_the_check_of_gpus(self):
        # More than any machine has: with a driver the count is wrong, without one its library is missing.
        self.assertRegex(self._unfit(gpus=1000), "driver’s library is not there|and 1000 were asked for|gives status")


class RunCheck(unittest.TestCase):
    def test_gives_what_was_said(self):
        self.assertEqual(preflight.run_check([sys.executable, "-c", "print(1)"], 60, lambda: None), b"1\n")

    def test_kills_what_hangs_and_names_what_died(self):
        for code, seconds, words in (("import time; time.sleep(60)", 0.3, "hangs"), ("import os; os.abort()", 60, "status -6")):
            with self.assertRaises(preflight.NodeUnfit) as caught:
                preflight.run_check([sys.executable, "-c", code], seconds, lambda: None)
            self.assertIn(words, str(caught.exception))

    def test_ends_when_the_pod_is_stopped(self):
        class Stop(Exception):
            pass

        def stop():
            raise Stop

        with self.assertRaises(Stop):
            preflight.run_check([sys.executable, "-c", "import time; time.sleep(600)"], 60, stop)


if __name__ == "__main__":
    unittest.main()
