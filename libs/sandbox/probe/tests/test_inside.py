import sys
import unittest

from tests.harness import Trial

MODEL = "def answer(value=42):\n    return value\n"


@unittest.skipUnless(hasattr(sys, "addaudithook"), "Python 3.7 has no audit events")
class Inside(unittest.TestCase):
    def setUp(self):
        self.trial = Trial().__enter__()
        self.addCleanup(self.trial.__exit__)
        self.trial.write("subject/model.py", MODEL)

    def notices(self, code, text):
        return [record["message"] for record in self.trial.run_script(text).of("notice", code=code)]

    def test_code_that_the_script_reads_by_whatever_name(self):
        for way in ("model.answer.__code__", "getattr(model.answer, chr(95) * 2 + 'code__')"):
            with self.subTest(way):
                found = self.notices("code-read", "import model\n%s\n" % way)
                self.assertEqual(found[:1], ["answer by repro.py:2 in <module>"])

    def test_code_found_by_the_collector(self):
        found = self.notices("code-read", "import gc, model\ngc.get_referents(model.answer)\n")
        self.assertEqual(found, ["answer by repro.py:2 in <module>"])

    def test_code_that_is_changed(self):
        text = "import model\nsetattr(model.answer, '__defaults__', (1,))\n"
        self.assertEqual(self.notices("code-write", text), ["answer by repro.py:2 in <module>"])

    def test_nothing_of_libraries_and_of_the_scripts_own_functions(self):
        text = "import inspect, model\ninspect.signature(model.answer)\ndef own():\n    pass\nown.__code__\nmodel.answer()\n"
        self.assertEqual(self.notices("code-read", text), [])

    def test_a_module_from_elsewhere_in_the_place_of_another(self):
        text = (
            "import os, sys, tempfile\nfolder = tempfile.mkdtemp()\nsys.path.insert(0, folder)\n"
            "open(os.path.join(folder, '%s.py'), 'w').close()\nimport %s\n"
        )
        (message,) = self.notices("shadowed-module", text % ("model", "model"))
        self.assertTrue(message.startswith("model by /"), message)
        self.assertEqual(self.notices("shadowed-module", text % ("helper_of_mine", "helper_of_mine")), [message])

    def test_a_new_module_in_the_subject_that_hides_the_standard_library(self):
        self.trial.write("subject/wave.py", "")
        found = self.notices("shadowed-module", "import wave\n")
        self.assertEqual(found, ["wave by wave.py"] if hasattr(sys, "stdlib_module_names") else [])


if __name__ == "__main__":
    unittest.main()
