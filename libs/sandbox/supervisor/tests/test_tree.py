import os
import shutil
import tempfile
import unittest

from reenact_supervisor.tree import SubjectCopy


class TreeTest(unittest.TestCase):
    def setUp(self):
        self.base = tempfile.mkdtemp(prefix="reenact-tree-")
        self.addCleanup(shutil.rmtree, self.base)
        self.source, self.target = os.path.join(self.base, "source"), os.path.join(self.base, "target")
        for path, text in (("a.py", "A = 1\n"), ("pkg/b.py", "B = 2\n"), ("pkg/data.txt", "data"), ("__pycache__/a.pyc", "x")):
            full = os.path.join(self.source, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w") as handle:
                handle.write(text)
        os.chmod(os.path.join(self.source, "a.py"), 0o444)
        os.symlink("a.py", os.path.join(self.source, "link.py"))
        self.copy = SubjectCopy(self.source, self.target, None)
        self.before = self.copy.tree_hash()

    def at(self, path):
        return os.path.join(self.target, path)

    def write(self, path, text):
        with open(self.at(path), "w") as handle:
            handle.write(text)

    def test_the_copy_is_private_and_writable(self):
        self.assertEqual(self.copy.check(), (self.before, []))
        self.write("a.py", "changed")
        with open(os.path.join(self.source, "a.py")) as handle:
            self.assertEqual(handle.read(), "A = 1\n")

    def test_edits_deletions_and_replacements_are_changes(self):
        self.write("a.py", "A = 2\n")
        os.unlink(self.at("pkg/b.py"))
        os.unlink(self.at("link.py"))
        os.symlink("pkg/data.txt", self.at("link.py"))
        after, changed = self.copy.check()
        self.assertEqual(changed, ["a.py", "link.py", "pkg/b.py"])
        self.assertNotEqual(after, self.before)

    def test_new_files_and_byte_code_are_none(self):
        self.write("new.txt", "x")
        self.write("__pycache__/a.pyc", "y")
        self.assertEqual(self.copy.check(), (self.before, []))

    def test_an_edit_that_is_taken_back_still_shows_for_code(self):
        stamp = os.stat(self.at("pkg/b.py"))
        self.write("pkg/b.py", "B = 3\n")
        self.write("pkg/b.py", "B = 2\n")
        os.utime(self.at("pkg/b.py"), ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        self.assertEqual(self.copy.check(), (self.before, ["pkg/b.py"]))

    def test_data_written_anew_with_its_own_content_is_no_change(self):
        self.write("pkg/data.txt", "data")
        self.assertEqual(self.copy.check(), (self.before, []))

    def test_a_folder_replaced_by_a_link_is_not_followed(self):
        shutil.rmtree(self.at("pkg"))
        os.symlink(os.path.join(self.source, "pkg"), self.at("pkg"))
        self.assertEqual(self.copy.check()[1], ["pkg/b.py", "pkg/data.txt"])

    def test_pipes_do_not_block(self):
        os.unlink(self.at("a.py"))
        os.mkfifo(self.at("a.py"))
        self.assertEqual(self.copy.check()[1], ["a.py"])


if __name__ == "__main__":
    unittest.main()
