import os
import shutil
import tempfile
import unittest

from reenact_supervisor.crashes import parse_crash, read_crashes

from .test_stacks import CLASSIFY

DUMP = """Fatal Python error: Segmentation fault

Thread 0x00007f1 (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 320 in wait

Current thread 0x00007f2 [main] (most recent call first):
  File "/usr/lib/python3/dist-packages/torch/x.py", line 7 in recv
  File "/work/subject/train.py", line 40 in step
  File "/work/script/repro.py", line 3 in <module>

Current thread's C stack trace (most recent call first):
  Binary file "/usr/lib/libc.so.6", at +0x1234
  File "/work/subject/other.py", line 1 in never

Extension modules: numpy.core._multiarray_umath, torch._C (total: 2)
"""


class CrashTest(unittest.TestCase):
    def test_the_thread_that_the_signal_hit_is_told(self):
        crash = parse_crash(DUMP, CLASSIFY)
        self.assertEqual(crash.reason, "Segmentation fault")
        self.assertEqual([frame["function"] for frame in crash.frames], ["<module>", "step", "recv"])
        self.assertEqual([frame["place"] for frame in crash.frames], ["script", "subject", "dependency"])

    def test_a_thread_without_python_code_has_no_frames(self):
        text = "Fatal Python error: Aborted\n\nCurrent thread 0x1 (most recent call first):\n  <no Python frame>\n\nThread 0x2 (most recent call first):\n"
        crash = parse_crash(text + '  File "/work/subject/a.py", line 4 in f\n', CLASSIFY)
        self.assertEqual((crash.reason, crash.frames), ("Aborted", []))

    def test_other_text_is_no_crash(self):
        self.assertIsNone(parse_crash(DUMP.replace("Fatal", "Total"), CLASSIFY))
        self.assertIsNone(parse_crash("", CLASSIFY))

    def test_files_are_read_oldest_first_and_only_plain_ones(self):
        directory = tempfile.mkdtemp(prefix="reenact-crash-")
        self.addCleanup(shutil.rmtree, directory)
        for name, text, when in (("a.fatal", DUMP, 2000), ("b.fatal", DUMP.replace("Segmentation fault", "Bus error"), 1000), ("c.fatal", "", 1)):
            with open(os.path.join(directory, name), "w") as handle:
                handle.write(text)
            os.utime(os.path.join(directory, name), (when, when))
        os.symlink(os.path.join(directory, "a.fatal"), os.path.join(directory, "d.fatal"))
        names = {1: "a.fatal", 2: "b.fatal", 3: "c.fatal", 4: "d.fatal", 5: "absent"}
        found = read_crashes(directory, names, CLASSIFY)
        self.assertEqual([(pid, crash.reason) for pid, _, crash in found], [(2, "Bus error"), (1, "Segmentation fault")])
