"""Warnings, loaded modules and coverage."""

import hashlib
import os
import signal
import sys
import unittest

from tests.harness import Trial

MODEL = """import warnings

class Net:
    def forward(self, x):
        if x > 100:
            return None
        warnings.warn("deprecated call %d" % x, UserWarning)
        return x

def unused():
    return 1
"""


class OfCode(unittest.TestCase):
    def setUp(self):
        self.trial = Trial().__enter__()
        self.addCleanup(self.trial.__exit__)
        self.path = self.trial.write("subject/model.py", MODEL)

    def test_warning_once_with_its_place(self):
        outcome = self.trial.run_script(
            "import warnings, model\nwarnings.simplefilter('always')\nfor _ in range(5):\n    model.Net().forward(1)\n"
        )
        self.assertEqual(outcome.stderr.count(b"deprecated call 1"), 5)
        (record,) = outcome.of("warning")
        self.assertEqual((record["category"], record["message"]), ("builtins.UserWarning", "deprecated call 1"))
        self.assertEqual((record["frame"]["file"], record["frame"]["place"]), ("model.py", "subject"))
        self.assertIn("warnings.warn", record["frame"]["code"])

    def test_ignored_warning_is_none_and_captured_one_is(self):
        outcome = self.trial.run_script(
            "import warnings, model\nwarnings.simplefilter('ignore')\nmodel.Net().forward(1)\n"
            "with warnings.catch_warnings(record=True):\n    warnings.simplefilter('always')\n    model.Net().forward(2)\n"
        )
        self.assertEqual([r["message"] for r in outcome.of("warning")], ["deprecated call 2"])

    def test_loaded_modules_carry_the_hash_of_their_source(self):
        outcome = self.trial.run_script("import model\n")
        loaded = [entry for record in outcome.of("modules") for entry in record["loaded"]]
        self.assertEqual(loaded, [{"file": "model.py", "sha256": hashlib.sha256(MODEL.encode()).hexdigest()}])

    def test_main_file_of_the_subject_counts_as_loaded(self):
        text = "if __name__ == '__main__':\n    print('ran')\n"
        self.trial.write("subject/train.py", text)
        outcome = self.trial.run("train.py")
        if sys.version_info >= (3, 8):
            loaded = [entry["file"] for record in outcome.of("modules") for entry in record["loaded"]]
            self.assertEqual(loaded, ["train.py"])

    def coverage(self, outcome):
        lines, functions = set(), set()
        for record in outcome.of("coverage"):
            for entry in record["files"]:
                self.assertEqual(entry["file"], "model.py")
                lines.update(entry["lines"])
                functions.update(entry["functions"])
        return lines, functions

    def test_coverage_of_lines_and_functions(self):
        outcome = self.trial.run_script("import model\nmodel.Net().forward(1)\n", REENACT_COVERAGE="1")
        lines, functions = self.coverage(outcome)
        self.assertEqual(functions, {"Net.forward"})
        self.assertLessEqual({1, 3, 4, 5, 7, 8, 10}, lines)
        self.assertFalse({6, 11} & lines)

    def test_coverage_of_a_thread_and_of_a_killed_child(self):
        # Without audit events nothing tells of the signal; what was seen in the last moment is lost.
        audited = sys.version_info >= (3, 8)
        end = "os.kill(os.getpid(), signal.SIGKILL)" if audited else "os._exit(1)"
        outcome = self.trial.run_script(
            "import os, signal, threading, model\n"
            "t = threading.Thread(target=model.Net().forward, args=(200,))\nt.start()\nt.join()\n"
            "if os.fork() == 0:\n    model.unused()\n    %s\nos.wait()\n" % end,
            REENACT_COVERAGE="1",
        )
        lines, functions = self.coverage(outcome)
        self.assertLessEqual({5, 6, 11}, lines)
        self.assertEqual(functions, {"Net.forward", "unused"})

    def test_no_coverage_unless_asked(self):
        self.assertEqual(self.trial.run_script("import model\nmodel.unused()\n").of("coverage"), [])


if sys.version_info >= (3, 8):

    class EditedCopies(unittest.TestCase):
        def test_edit_import_restore_shows_the_edited_source(self):
            with Trial() as trial:
                trial.write("subject/model.py", "x = 1\n")
                outcome = trial.run_script(
                    "path = 'model.py'\nold = open(path).read()\nopen(path, 'w').write('x = 2\\n')\n"
                    "import model\nopen(path, 'w').write(old)\n"
                )
                loaded = [entry["sha256"] for record in outcome.of("modules") for entry in record["loaded"]]
                self.assertEqual(loaded, [hashlib.sha256(b"x = 2\n").hexdigest()])
                self.assertEqual([r["message"] for r in outcome.of("notice", code="subject-write")], ["model.py"])
                self.assertEqual([r["message"] for r in outcome.of("notice", code="source-read")], ["model.py"])

        def test_exec_of_altered_text_under_the_name_of_the_file(self):
            with Trial() as trial:
                path = trial.write("subject/model.py", "x = 1\n")
                outcome = trial.run_script("exec(compile('x = 3\\n', %r, 'exec'))\n" % path)
                loaded = [entry["sha256"] for record in outcome.of("modules") for entry in record["loaded"]]
                self.assertEqual(loaded, [hashlib.sha256(b"x = 3\n").hexdigest()])


class StackDumps(unittest.TestCase):
    def test_dump_on_request_and_on_a_fatal_signal(self):
        with Trial() as trial:
            outcome = trial.run_script(
                "import glob, json, os, signal, time\n"
                "def waits():\n"
                "    for path in glob.glob(os.environ['REENACT_PROBE_DIR'] + '/*.jsonl'):\n"
                "        for line in open(path):\n"
                "            record = json.loads(line)\n"
                "            if record.get('code') == 'dump-ready':\n"
                "                os.kill(os.getpid(), json.loads(record['message'])['signal'])\n"
                "    os.kill(os.getpid(), signal.SIGSEGV)\n"
                "waits()\n"
            )
            self.assertEqual(outcome.code, -signal.SIGSEGV)
            self.assertEqual(outcome.stderr, b"")
            texts = {}
            for name in os.listdir(trial.out):
                with open(os.path.join(trial.out, name)) as source:
                    texts[name.rpartition(".")[2]] = source.read()
        self.assertIn("in waits", texts["dump"])
        self.assertIn("Segmentation fault", texts["fatal"])


if __name__ == "__main__":
    unittest.main()
