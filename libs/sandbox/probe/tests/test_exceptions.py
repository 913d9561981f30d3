import importlib.util
import sys
import unittest

from tests.harness import Trial

SUBJECT = """
class ShapeError(ValueError):
    pass

def fit(rows):
    try:
        {}["rows"]
    except KeyError as error:
        raise ShapeError("bad rows: %d" % rows) from error
"""


class Exceptions(unittest.TestCase):
    def setUp(self):
        self.trial = Trial().__enter__()
        self.addCleanup(self.trial.__exit__)
        self.trial.write("subject/model.py", SUBJECT)

    def only(self, text, **more):
        found = self.trial.run_script(text, **more).of("exception")
        self.assertEqual(len(found), 1, found)
        return found[0]

    def test_uncaught_has_type_bases_message_frames_and_cause(self):
        record = self.only("import model\nmodel.fit(3)\n")
        self.assertEqual(record["type"], "model.ShapeError")
        self.assertEqual(record["bases"], ["ValueError", "Exception", "BaseException"])
        self.assertEqual(record["message"], "bad rows: 3")
        self.assertEqual((record["how"], record["raisedIn"]), ("uncaught", "subject"))
        first, last = record["frames"]
        self.assertEqual((first["file"], first["line"], first["place"]), ("repro.py", 2, "script"))
        self.assertEqual((last["file"], last["function"], last["place"]), ("model.py", "fit", "subject"))
        self.assertEqual(last["code"], 'raise ShapeError("bad rows: %d" % rows) from error')
        cause = record["causes"][0]
        self.assertEqual((cause["type"], cause["link"]), ("builtins.KeyError", "cause"))
        self.assertEqual(cause["frames"][0]["file"], "model.py")

    def test_context_is_a_cause_unless_suppressed(self):
        text = "try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise KeyError('x')%s\n"
        self.assertEqual(self.only(text % "")["causes"][0]["link"], "context")

    def test_suppressed_context_is_left_out(self):
        record = self.only("try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise KeyError('x') from None\n")
        self.assertEqual(record["causes"], [])

    def test_own_excepthook_of_the_program_does_not_hide_it(self):
        outcome = self.trial.run_script(
            "import sys\nsys.excepthook = lambda *_: print('mine')\nraise RuntimeError('hidden')\n"
        )
        self.assertEqual(outcome.stdout, b"mine\n")
        self.assertEqual([r["message"] for r in outcome.of("exception", how="uncaught")], ["hidden"])

    def test_thread(self):
        text = "import model, threading\nt = threading.Thread(target=model.fit, args=(1,))\nt.start()\nt.join()\n"
        record = self.only(text)
        self.assertEqual((record["how"], record["raisedIn"]), ("thread", "subject"))

    def test_thread_with_own_hook_and_under_coverage(self):
        text = (
            "import model, threading\nthreading.excepthook = lambda _: None\n"
            "t = threading.Thread(target=model.fit, args=(1,))\nt.start()\nt.join()\n"
        )
        self.assertEqual(self.only(text, REENACT_COVERAGE="1")["how"], "thread")

    def test_children_of_every_start_method(self):
        for method in ("fork", "spawn", "forkserver"):
            with self.subTest(method), Trial() as trial:
                trial.write("subject/model.py", SUBJECT)
                outcome = trial.run_script(
                    "import model, multiprocessing\n"
                    "if __name__ == '__main__':\n"
                    "    context = multiprocessing.get_context(%r)\n"
                    "    child = context.Process(target=model.fit, args=(1,))\n"
                    "    child.start()\n    child.join()\n" % method
                )
                found = outcome.of("exception")
                self.assertEqual([(r["how"], r["raisedIn"]) for r in found], [("child", "subject")])
                self.assertNotEqual(found[0]["pid"], outcome.of("process")[0]["pid"])

    def test_printed_by_the_program(self):
        text = "import traceback\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    traceback.print_exc()\n"
        self.assertEqual(self.only(text)["how"], "reported")

    def test_printed_and_raised_again_is_recorded_as_uncaught_too(self):
        text = "import logging\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    logging.exception('x')\n    raise\n"
        found = self.trial.run_script(text).of("exception")
        self.assertEqual([r["how"] for r in found], ["reported", "uncaught"])

    def test_worker_of_a_process_pool(self):
        outcome = self.trial.run_script(
            "import model\nfrom concurrent.futures import ProcessPoolExecutor\n"
            "if __name__ == '__main__':\n    ProcessPoolExecutor(1).submit(model.fit, 1).result()\n"
        )
        hows = {r["how"] for r in outcome.of("exception", type="model.ShapeError")}
        self.assertEqual(hows, {"reported", "uncaught"})

    def test_failures_under_unittest(self):
        self.trial.write(
            "subject/test_model.py",
            "import unittest, model\nclass T(unittest.TestCase):\n    def test_fit(self):\n        model.fit(1)\n"
            "    def test_sum(self):\n        self.assertEqual(1, 2)\n",
        )
        found = self.trial.run("-m", "unittest", "test_model").of("exception", how="reported")
        self.assertEqual([r["type"] for r in found], ["model.ShapeError", "builtins.AssertionError"])

    def test_system_exit_is_none(self):
        self.assertEqual(self.trial.run_script("raise SystemExit(3)\n").of("exception"), [])

    def test_syntax_error_points_into_the_subject(self):
        self.trial.write("subject/broken.py", "x = = 1\n")
        record = self.only("import broken\n")
        self.assertEqual(record["raisedIn"], "subject")
        self.assertEqual((record["frames"][-1]["file"], record["frames"][-1]["line"]), ("broken.py", 1))

    def test_hostile_exception(self):
        text = "class Bad(Exception):\n    def __str__(self):\n        raise OSError\nraise Bad\n"
        self.assertEqual(self.only(text)["type"], "__main__.Bad")

    def test_long_message_and_deep_stack_are_bounded(self):
        record = self.only("def f(n):\n    if n:\n        f(n - 1)\n    raise ValueError('x' * 10**6)\nf(900)\n")
        self.assertEqual(len(record["message"]), 8192)
        self.assertEqual(len(record["frames"]), 60)
        self.assertEqual(record["frames"][0]["function"], "<module>")

    def test_module_run_by_name_and_command_text(self):
        self.trial.write("subject/entry.py", "import model\nmodel.fit(2)\n")
        found = self.trial.run("-m", "entry").of("exception")
        self.assertEqual([r["frames"][-1]["file"] for r in found], ["model.py"])
        self.assertIn("entry.py", [frame["file"] for frame in found[0]["frames"]])

    def test_relative_main_file_of_the_subject(self):
        self.trial.write("subject/train.py", "def main():\n    raise OSError('no')\nmain()\n")
        record = self.trial.run("train.py").of("exception")[0]
        self.assertEqual([(f["file"], f["place"]) for f in record["frames"]], [("train.py", "subject")] * 2)

    def test_survives_a_program_that_closes_all_descriptors(self):
        record = self.only("import os\nos.closerange(3, 4096)\nfirst = os.open('/dev/null', 0)\n1 / 0\n")
        self.assertEqual(record["type"], "builtins.ZeroDivisionError")

    def test_survives_a_program_without_free_descriptors(self):
        text = "import os\ntry:\n    while True:\n        os.open('/dev/null', 0)\nexcept OSError:\n    1 / 0\n"
        self.assertEqual(self.only(text)["type"], "builtins.ZeroDivisionError")

    def test_rank_of_the_environment(self):
        self.assertEqual(self.only("1 / 0\n", RANK="3")["rank"], 3)


if importlib.util.find_spec("pytest") is not None:

    class UnderPytest(unittest.TestCase):
        def test_failure_but_no_skip(self):
            with Trial() as trial:
                trial.write("subject/model.py", SUBJECT)
                trial.write(
                    "subject/test_model.py",
                    "import model, pytest\ndef test_fit():\n    model.fit(1)\n"
                    "def test_skip():\n    pytest.skip('no')\n"
                    "def test_raises():\n    with pytest.raises(ValueError):\n        model.fit(1)\n",
                )
                outcome = trial.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_model.py")
            self.assertEqual(outcome.code, 1)
            self.assertEqual([r["type"] for r in outcome.of("exception")], ["model.ShapeError"])
            self.assertEqual(outcome.of("exception")[0]["frames"][-1]["file"], "model.py")


if sys.version_info >= (3, 11):

    class NotesAndGroups(unittest.TestCase):
        def test_notes_and_members(self):
            with Trial() as trial:
                found = trial.run_script(
                    "error = ValueError('inner')\nerror.add_note('see here')\n"
                    "raise ExceptionGroup('all', [error, KeyError('k')])\n"
                ).of("exception", how="uncaught")
            self.assertEqual(
                [r["type"] for r in found], ["builtins.ExceptionGroup", "builtins.ValueError", "builtins.KeyError"]
            )
            self.assertEqual(found[1]["notes"], ["see here"])


if __name__ == "__main__":
    unittest.main()
