import os
import time
import unittest

from reenact_supervisor.busy import busy_beside


def children():
    with open("/proc/self/task/%d/children" % os.getpid()) as handle:
        return {int(pid) for pid in handle.read().split()}


def processor_seconds(pid):
    with open("/proc/%d/stat" % pid) as handle:
        fields = handle.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class BusyBeside(unittest.TestCase):
    def test_takes_processor_time_while_the_block_runs_and_is_gone_after_it(self):
        before = children()
        with busy_beside(2, 5):
            own = children() - before
            self.assertEqual(len(own), 2)
            deadline = time.monotonic() + 60
            while min(processor_seconds(pid) for pid in own) == 0 and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertGreater(min(processor_seconds(pid) for pid in own), 0)
            self.assertEqual({os.getpriority(os.PRIO_PROCESS, pid) for pid in own}, {5})
        self.assertEqual(children() - before, set())

    def test_is_gone_after_an_error_too(self):
        before = children()
        with self.assertRaises(ValueError):
            with busy_beside(1, 5):
                raise ValueError("x")
        self.assertEqual(children() - before, set())

    def test_starts_nothing_without_load(self):
        before = children()
        with busy_beside(0, 5):
            self.assertEqual(children() - before, set())
