import unittest

from reenact_supervisor import launch
from reenact_supervisor.request import RequestInvalid, Step, _inside

PLACES = launch.Places(
    {
        "subject": "/s", "script": "/c", "probe": "/p", "probe-out": "/o",
        "tools": "/t", "home": "/h", "tmp": "/tmp", "bytecode": None,
    }
)


def argv(words, version=(3, 12, 1)):
    return launch.argv_of(Step({"argv": words}), "/py/bin/python", version, PLACES)


class ArgvTest(unittest.TestCase):
    def test_a_candidate_runs_with_safe_path(self):
        self.assertEqual(argv(["python", "@script/a.py", "-x"]), ["/py/bin/python", "-P", "/c/a.py", "-x"])
        self.assertEqual(argv(["python", "-X", "dev", "@script/a.py"]), ["/py/bin/python", "-P", "-X", "dev", "/c/a.py"])

    def test_older_interpreters_take_the_runner(self):
        words = argv(["python", "-u", "@script/a.py", "x"], (3, 10, 2))
        self.assertEqual(words, ["/py/bin/python", "-u", "/t/safe_run.py", "/c/a.py", "x"])

    def test_the_projects_own_entry_runs_as_its_authors_run_it(self):
        self.assertEqual(argv(["python", "train.py"]), ["/py/bin/python", "train.py"])
        self.assertEqual(argv(["python", "-m", "pkg.train", "@script/a.json"]), ["/py/bin/python", "-m", "pkg.train", "/c/a.json"])
        self.assertEqual(argv(["torchrun", "@script/a.py"]), ["torchrun", "/c/a.py"])

    def test_script_words_do_not_leave_the_script_folder(self):
        self.assertEqual(argv(["cat", "@script/../x"]), ["cat", "@script/../x"])


class RequestTest(unittest.TestCase):
    def test_import_roots_stay_inside(self):
        self.assertEqual([_inside(root) for root in ("", ".", "src", "a/../b")], [".", ".", "src", "b"])
        for root in ("..", "../x", "/etc", "a/../../b"):
            self.assertRaises(RequestInvalid, _inside, root)


if __name__ == "__main__":
    unittest.main()
