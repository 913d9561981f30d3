import os
import shutil
import tempfile
import threading
import unittest

from reenact_supervisor.interpreter import link_hops
from reenact_supervisor.workspace import Busy, Workspace, copy_readable, remove_tree, used_bytes


class WorkspaceTest(unittest.TestCase):
    def setUp(self):
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="reenact-space-"))
        self.addCleanup(shutil.rmtree, self.base, ignore_errors=True)

    def test_one_execution_at_a_time(self):
        first = Workspace(self.base, "x")
        self.assertRaises(Busy, Workspace, self.base, "x")
        first.remove()
        Workspace(self.base, "x").remove()
        self.assertEqual(os.listdir(self.base), [])

    def test_what_a_crash_left_is_swept(self):
        stale = Workspace(self.base, "stale")
        os.close(stale._lock)
        Workspace(self.base, "next").remove()
        self.assertEqual(os.listdir(self.base), [])

    def test_a_sweep_at_the_same_time_takes_nothing_from_a_trial_that_begins(self):
        failures = []

        def begin_and_end(name):
            try:
                for number in range(60):
                    Workspace(self.base, "%s %d" % (name, number)).remove()
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=begin_and_end, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertEqual(os.listdir(self.base), [])

    def test_very_deep_trees_are_removed(self):
        top = os.path.join(self.base, "deep")
        os.mkdir(top)
        descriptor = os.open(top, os.O_RDONLY)
        for _ in range(3000):
            os.mkdir("d" * 20, dir_fd=descriptor)
            below = os.open("d" * 20, os.O_RDONLY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        os.close(descriptor)
        remove_tree(top)
        self.assertFalse(os.path.exists(top))

    def test_closed_folders_are_removed_and_links_are_not_followed(self):
        outside = os.path.join(self.base, "outside")
        os.makedirs(outside, mode=0o755)
        closed = os.path.join(self.base, "tree", "closed")
        os.makedirs(os.path.join(closed, "inner"))
        os.symlink(outside, os.path.join(closed, "link"))
        os.chmod(closed, 0)
        remove_tree(os.path.join(self.base, "tree"))
        self.assertFalse(os.path.exists(os.path.join(self.base, "tree")))
        self.assertEqual(os.stat(outside).st_mode & 0o777, 0o755)

    def test_disk_use_counts_blocks_and_follows_no_link(self):
        place = os.path.join(self.base, "place")
        os.makedirs(os.path.join(place, "sub"))
        with open(os.path.join(place, "sub", "a"), "wb") as handle:
            handle.write(b"x" * 100000)
        with open(os.path.join(place, "sparse"), "wb") as handle:
            handle.truncate(1 << 30)
        os.symlink("/usr", os.path.join(place, "link"))
        used = used_bytes([place])
        self.assertGreaterEqual(used, 100000)
        self.assertLess(used, 300000)

    def test_readable_copies_leave_links_out(self):
        source = os.path.join(self.base, "script")
        os.makedirs(os.path.join(source, "tests"))
        for path in ("main.py", "tests/t.py"):
            with open(os.path.join(source, path), "w") as handle:
                handle.write("x")
        os.chmod(os.path.join(source, "main.py"), 0o600)
        os.symlink("/etc/passwd", os.path.join(source, "leak"))
        target = os.path.join(self.base, "copy")
        copy_readable(source, target, ("tests",))
        self.assertEqual(os.listdir(target), ["main.py"])
        self.assertEqual(os.stat(os.path.join(target, "main.py")).st_mode & 0o777, 0o644)

    def test_every_link_on_the_way_is_named(self):
        real = os.path.join(self.base, "real")
        os.makedirs(os.path.join(real, "bin"))
        os.symlink("real", os.path.join(self.base, "first"))
        os.symlink(os.path.join(self.base, "first"), os.path.join(self.base, "second"))
        hops = link_hops(os.path.join(self.base, "second", "bin"))
        self.assertEqual(hops, [os.path.join(self.base, "second"), os.path.join(self.base, "first"), os.path.join(real, "bin")])


if __name__ == "__main__":
    unittest.main()
