import os
import shutil
import sys
import tempfile
import unittest

from reenact_supervisor import interpreter


class InterpreterTest(unittest.TestCase):
    def setUp(self):
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="reenact-interpreter-"))
        self.addCleanup(shutil.rmtree, self.base)

    def write(self, path, text=""):
        full = os.path.join(self.base, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w") as handle:
            handle.write(text)
        return full

    def test_an_interpreter_is_asked_once(self):
        facts = interpreter.describe(sys.executable, self.base)
        self.assertEqual(facts["version"], list(sys.version_info[:3]))
        self.assertEqual(facts["python"].split(".")[:2], [str(part) for part in sys.version_info[:2]])
        self.assertEqual(interpreter.describe(sys.executable, self.base), facts)

    def test_what_is_no_interpreter_is_refused(self):
        self.assertRaises(interpreter.InterpreterFailed, interpreter.describe, "/bin/cat", self.base)
        self.assertRaises(interpreter.InterpreterFailed, interpreter.describe, "/no/such/python", self.base)

    def test_distributions_come_from_their_metadata(self):
        self.write("site/a_b-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: a-b\nVersion: 1.0+cpu\n\nName: not-this\n")
        self.write("site/c.egg-info/PKG-INFO", "Name: c\nVersion: 2\n")
        self.write("site/broken-1.dist-info/METADATA", "\n")
        found, _ = interpreter._scan([os.path.join(self.base, "site")])
        self.assertEqual(found, [{"name": "a-b", "version": "1.0+cpu"}, {"name": "c", "version": "2"}])

    def test_path_files_give_folders_but_run_nothing(self):
        modules = os.path.dirname(self.write("modules/m.py"))
        project = os.path.dirname(self.write("project/pyproject.toml"))
        for path in ("project/.env", "project/.git/config", "project/pkg/__init__.py", "project/top.py", "project/notes/secret.txt"):
            self.write(path)
        self.write("site/x.pth", "# c\nimport os; os.mkdir('%s/ran')\n%s\n%s\n/no/such\n" % (self.base, modules, project))
        _, extra = interpreter._scan([os.path.join(self.base, "site")])
        self.assertEqual(extra, [modules, os.path.join(project, "pkg"), os.path.join(project, "top.py")])
        self.assertFalse(os.path.exists(os.path.join(self.base, "ran")))

    def test_mappings_of_editable_finders_are_read_as_literals(self):
        self.write("site/__editable___x_finder.py", "MAPPING: dict[str, str] = {'x': '/somewhere/x'}\nraise SystemExit\n")
        self.write("site/__editable___y_finder.py", "MAPPING = {'y': open('/etc/passwd')}\n")
        _, extra = interpreter._scan([os.path.join(self.base, "site")])
        self.assertEqual(extra, ["/somewhere/x"])

    def test_what_lies_below_the_systems_folders_is_listed_apart(self):
        facts = interpreter.describe(sys.executable, self.base)
        system = interpreter.system_paths(sys.executable, facts)
        self.assertEqual([path for path in system if not path.startswith(interpreter._SYSTEM)], [])
        self.assertFalse(set(system) & set(facts["paths"]))
        wanted = {hop for path in facts["libraries"] for hop in interpreter.link_hops(path)}
        self.assertEqual(wanted - set(system) - set(facts["paths"]), set())
        self.assertNotIn("/usr", system)

    def test_homes_and_roots_are_never_bound_whole(self):
        for path in ("/", "/opt", "/home/somebody", os.path.expanduser("~")):
            self.assertNotIn(path, interpreter._prefix_parts(path))


if __name__ == "__main__":
    unittest.main()
