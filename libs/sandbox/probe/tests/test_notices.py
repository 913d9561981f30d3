import os
import signal
import sys
import unittest

from tests.harness import Trial

MODEL = "def answer():\n    return 42\n"


class Notices(unittest.TestCase):
    """What audit events tell; Python 3.7 has none, and is held to the ends by hand alone."""

    def setUp(self):
        self.trial = Trial().__enter__()
        self.addCleanup(self.trial.__exit__)
        self.trial.write("subject/model.py", MODEL)
        self.trial.write("subject/data/rows.csv", "1,2\n")

    def notices(self, code, text, **more):
        return [record["message"] for record in self.trial.run_script(text, **more).of("notice", code=code)]

    def test_end_by_hand_in_the_script(self):
        for call in ("_exit(3)", "abort()"):
            with self.subTest(call):
                (message,) = self.notices("exit-by-hand", "import os\nos.%s\n" % call)
                self.assertTrue(message.startswith("os." + call), message)
                self.assertIn("script:repro.py:2 in <module>", message)
                self.setUp()

    def test_ends_of_launched_workers_are_not_by_hand(self):
        text = (
            "import multiprocessing\nif __name__ == '__main__':\n"
            "    p = multiprocessing.get_context('fork').Process(target=print)\n    p.start()\n    p.join()\n"
        )
        self.assertEqual(self.notices("exit-by-hand", text), [])


class AuditedNotices(Notices):
    def test_signal_to_itself_or_parent_but_not_to_a_child(self):
        text = (
            "import os, signal, subprocess, sys\n"
            "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
            "child.kill()\nchild.wait()\n"
        )
        self.assertEqual(self.notices("exit-by-hand", text), [])
        (message,) = self.notices("exit-by-hand", text + "os.kill(os.getpid(), %d)\n" % signal.SIGTERM)
        self.assertTrue(message.startswith("os.kill(itself, 15) at script:repro.py:5"), message)

    def test_signal_to_the_parent(self):
        text = (
            "import os, signal, time\nsignal.signal(signal.SIGUSR1, lambda *_: None)\n"
            "if os.fork() == 0:\n    os.kill(os.getppid(), signal.SIGUSR1)\nelse:\n    os.wait()\n"
        )
        (message,) = self.notices("exit-by-hand", text)
        self.assertIn("os.kill(parent, %d)" % signal.SIGUSR1, message)

    def test_network(self):
        text = (
            "import socket\n"
            "for host in ('203.0.113.7', '127.0.0.1', 'localhost'):\n"
            "    s = socket.socket()\n    s.settimeout(0.01)\n"
            "    try:\n        s.connect((host, 9))\n    except OSError:\n        pass\n"
            "try:\n    socket.getaddrinfo('data.invalid', 443)\nexcept OSError:\n    pass\n"
        )
        self.assertEqual(self.notices("network", text), ["connect 203.0.113.7 port 9", "look up data.invalid"])

    def test_writes_to_files_that_were_there(self):
        text = (
            "import os, pathlib\nopen('new.txt', 'w').close()\nopen('new.txt', 'a').close()\nopen('data/rows.csv').read()\n"
            "pathlib.Path('model.py').write_text('x = 1')\nos.rename('data/rows.csv', 'data/moved.csv')\n"
            "os.remove('new.txt')\n"
        )
        self.assertEqual(self.notices("subject-write", text), ["model.py", "data/rows.csv"])

    def test_new_file_of_another_process_is_no_finding(self):
        text = (
            "import subprocess, sys\nopen('log.txt', 'w').close()\n"
            "subprocess.run([sys.executable, '-c', \"open('log.txt', 'a').write('x')\"], check=True)\n"
        )
        self.assertEqual(self.notices("subject-write", text), [])

    def test_source_read_by_the_script_only(self):
        text = (
            "import model, inspect, linecache, traceback\ninspect.getsource(model.answer)\n"
            "linecache.getline(model.__file__, 1)\n"
            "try:\n    model.absent\nexcept AttributeError:\n    traceback.print_exc()\n"
        )
        self.assertEqual(self.notices("source-read", text), [])
        more = "import pathlib\npathlib.Path('model.py').read_text()\nopen('model.py').read()\n"
        self.assertEqual(self.notices("source-read", text + more), ["model.py"])

    def test_records_that_the_script_writes_itself(self):
        forging = (
            "import os\nfolder = [v for k, v in os.environ.items() if k.endswith('BE_DIR')][0]\n"
            "name = [n for n in os.listdir(folder) if n.endswith('.jsonl')][0]\n"
            "%s\n"
        )
        for way in (
            "open(os.path.join(folder, name), 'a').close()",
            "os.close(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_APPEND))",
            "open('x', 'w').close()\nos.replace('x', os.path.join(folder, '1-x.jsonl'))",
        ):
            with self.subTest(way):
                (message,) = self.notices("probe-folder", forging % way)
                self.assertIn("script:repro.py", message)
                self.setUp()

    def test_the_probe_itself_is_no_forger(self):
        text = (
            "import os, subprocess, sys, multiprocessing, warnings\nif os.fork() == 0:\n    os._exit(0)\nos.wait()\n"
            "subprocess.run([sys.executable, '-c', 'pass'], check=True)\nwarnings.warn('x')\nos.closerange(3, 900)\n"
            "context = multiprocessing.get_context('fork')\n"
            "if __name__ == '__main__':\n    p = context.Process(target=print)\n    p.start()\n    p.join()\n1 / 0\n"
        )
        self.assertEqual(self.notices("probe-folder", text), [])

    def test_notices_are_capped(self):
        text = "import os\nfor n in range(80):\n    open('m%d.py' % n, 'w').close()\n    open('m%d.py' % n).close()\n"
        self.assertEqual(len(self.notices("source-read", text)), 50)


if sys.version_info < (3, 8):
    del AuditedNotices


class Processes(unittest.TestCase):
    def test_every_interpreter_has_its_own_stream(self):
        with Trial() as trial:
            outcome = trial.run_script(
                "import os, subprocess, sys\nif os.fork() == 0:\n    os._exit(0)\nos.wait()\n"
                "subprocess.run([sys.executable, '-c', 'pass', 'word'], check=True)\n"
            )
            first, forked, child = outcome.of("process")
            files = [name for name in os.listdir(trial.out) if name.endswith(".jsonl")]
        self.assertEqual((forked["parent"], child["parent"]), (first["pid"], first["pid"]))
        self.assertEqual(child["argv"][1:], ["-c", "pass", "word"])
        self.assertEqual(len({first["pid"], forked["pid"], child["pid"]}), 3)
        self.assertEqual({int(name.split("-")[0]) for name in files}, {first["pid"], forked["pid"], child["pid"]})
        self.assertEqual(len(outcome.of("notice", code="dump-ready")), 3)

    def test_child_of_another_folder_and_thread_that_forks(self):
        with Trial() as trial:
            outcome = trial.run_script(
                "import os, threading\nos.chdir('/')\n"
                "def f():\n    if os.fork() == 0:\n        try:\n            1 / 0\n        finally:\n            os._exit(1)\n"
                "    os.wait()\nt = threading.Thread(target=f)\nt.start()\nt.join()\n",
                REENACT_PROBE_DIR="../out",
            )
            self.assertEqual(len(outcome.of("process")), 2)


if __name__ == "__main__":
    unittest.main()
