import os
import shutil
import tempfile
import unittest

from reenact_supervisor.cgroups import ControlGroup


class ControlGroupTest(unittest.TestCase):
    def setUp(self):
        self.base = tempfile.mkdtemp(prefix="reenact-cgroup-")
        self.addCleanup(shutil.rmtree, self.base)

    def group(self, version, **files):
        for name, text in files.items():
            with open(os.path.join(self.base, name.replace("__", ".")), "w") as handle:
                handle.write(text)
        return ControlGroup({"memory": self.base, "pids": self.base}, version)

    def read(self, name):
        with open(os.path.join(self.base, name)) as handle:
            return handle.read()

    def test_kills_are_told_from_mere_reclaim(self):
        first = self.group(1, memory__oom_control="oom_kill_disable 0\nunder_oom 0\noom_kill 2\n", memory__failcnt="77")
        self.assertEqual(first.out_of_memory_kills(), 2)
        second = self.group(2, memory__events="low 0\nhigh 5\nmax 9\noom 1\noom_kill 1\noom_group_kill 0\n")
        self.assertEqual(second.out_of_memory_kills(), 1)

    def test_refused_forks_are_counted(self):
        self.assertEqual(self.group(2, pids__events="max 3\n").refused_forks(), 3)
        self.assertEqual(ControlGroup({"memory": self.base}, 2).refused_forks(), 0)

    def test_limits_go_where_each_version_has_them(self):
        self.group(2).limit(1000, 20)
        self.assertEqual((self.read("memory.max"), self.read("pids.max")), ("1000", "20"))
        group = self.group(1)
        group.limit(2000, 30)
        self.assertEqual((self.read("memory.limit_in_bytes"), self.read("pids.max")), ("2000", "30"))
        group.forbid_forks()
        self.assertEqual(self.read("pids.max"), "0")


if __name__ == "__main__":
    unittest.main()
