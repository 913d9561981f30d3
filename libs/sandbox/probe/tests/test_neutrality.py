"""A program must not be able to tell the probe by what it prints or how it ends: every one here runs both ways."""

import re
import unittest

from tests.harness import Trial

#: Addresses differ from run to run, also without the probe.
ADDRESS = re.compile(rb"0x[0-9a-f]+")

LIBRARY = """
import warnings

def fail():
    warnings.warn("careful", RuntimeWarning, stacklevel=2)
    raise ValueError("bad value")
"""

#: Name → text of the script. Times and process ids must not be printed.
PROGRAMS = {
    "chained": "import lib\ntry:\n    lib.fail()\nexcept ValueError as e:\n    raise KeyError('k') from e\n",
    "exit with a message": "import sys\nsys.exit('gone')\n",
    "exit status": "import sys\nsys.exit(7)\n",
    "exit by hand": "import os\nprint('lost', end='')\nos._exit(5)\n",
    "abort": "import os\nos.abort()\n",
    "fault": "import ctypes\nctypes.string_at(0)\n",
    "fault with own faulthandler": "import faulthandler, ctypes\nfaulthandler.enable()\nctypes.string_at(0)\n",
    "fault in a fork with own faulthandler": (
        "import faulthandler, ctypes, os\nfaulthandler.enable()\nif os.fork() == 0:\n    ctypes.string_at(0)\n"
        "print(os.wait()[1])\n"
    ),
    "killed": "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n",
    "own hook that prints the stack": (
        "import lib, sys, traceback\n"
        "def hook(*what):\n    traceback.print_stack()\n    traceback.print_exception(*what)\n"
        "sys.excepthook = hook\nlib.fail()\n"
    ),
    "hook that fails": "import sys\ndef hook(*_):\n    raise OSError('in hook')\nsys.excepthook = hook\n1 / 0\n",
    "names of the standard hook": (
        "import sys\nprint(sys.excepthook is sys.__excepthook__, sys.excepthook.__name__, sys.gettrace())\n"
    ),
    "thread": "import lib, threading\nt = threading.Thread(target=lib.fail)\nt.start()\nt.join()\n",
    "own thread hook": (
        "import lib, threading\nthreading.excepthook = lambda a: print(a[0], a[1])\n"
        "t = threading.Thread(target=lib.fail)\nt.start()\nt.join()\n"
    ),
    "warning hook that prints the stack": (
        "import lib, warnings, traceback, sys\n"
        "def show(message, category, filename, lineno, file=None, line=None):\n    traceback.print_stack()\n"
        "warnings.showwarning = show\nlib.fail()\n"
    ),
    "warning hook that fails": (
        "import lib, warnings\ndef show(*_, **__):\n    raise OSError('in show')\n"
        "warnings.showwarning = show\nlib.fail()\n"
    ),
    "warnings as errors": "import warnings, lib\nwarnings.simplefilter('error')\nlib.fail()\n",
    "filters": "import warnings\nprint(warnings.filters)\n",
    "missing module": "import no_such_module\n",
    "missing name": "from lib import absent\n",
    "syntax error": "import broken\n",
    "missing submodule": "import importlib, xml\nprint(hasattr(xml, 'dom'))\n",
    "modules that only the program may load": (
        "import sys\nnames = 'json re threading traceback inspect typing hashlib logging linecache tokenize'\n"
        "print([n for n in names.split() if n in sys.modules], 'faulthandler' in sys.modules)\n"
        "print('sitecustomize' in sys.modules)\n"
    ),
    "descriptors": "import os\nprint(os.open('/dev/null', 0), os.dup(0))\n",
    "closed descriptors": "import os\nos.closerange(3, 9999)\nf = open('new.txt', 'w')\nprint(f.fileno())\n1 / 0\n",
    "random state": "import random\nrandom.seed(1)\nprint(random.random(), hash(1.5))\n",
    "signals": (
        "import signal\nprint([s for s in signal.Signals if signal.getsignal(s) is None])\n"
        "def late(*_):\n    raise TimeoutError('late')\nsignal.signal(signal.SIGALRM, late)\nsignal.alarm(1)\n"
        "while True:\n    pass\n"
    ),
    "no reference is kept": (
        "import weakref, traceback, gc\ngc.disable()\nclass Thing:\n    pass\ndef f():\n    thing = Thing()\n"
        "    global ref\n    ref = weakref.ref(thing)\n    raise ValueError\n"
        "try:\n    f()\nexcept ValueError:\n    traceback.format_exc()\nprint(ref())\n"
    ),
    "recursion": "import sys\nsys.setrecursionlimit(200)\ndef f(n):\n    print(n)\n    f(n + 1)\nf(0)\n",
    "stack": "import inspect, sys\nprint(len(inspect.stack()), sys._getframe().f_back)\n",
    "printing functions": (
        "import inspect, traceback\n"
        "for name in ('print_exc', 'format_exc', 'print_exception', 'format_exception'):\n"
        "    f = getattr(traceback, name)\n    print(f.__name__, f.__module__, inspect.signature(f))\n"
    ),
    "printed": (
        "import lib, logging, traceback\ntry:\n    lib.fail()\nexcept ValueError as e:\n"
        "    traceback.print_exc()\n    logging.exception('x')\n"
        "    print(traceback.format_exception(type(e), e, e.__traceback__))\n"
    ),
    "fork child": (
        "import lib, multiprocessing\nif __name__ == '__main__':\n"
        "    p = multiprocessing.get_context('fork').Process(target=lib.fail, name='child')\n"
        "    p.start()\n    p.join()\n    print(p.exitcode)\n"
    ),
    "spawn child": (
        "import lib, multiprocessing\nif __name__ == '__main__':\n"
        "    p = multiprocessing.get_context('spawn').Process(target=lib.fail, name='child')\n"
        "    p.start()\n    p.join()\n    print(p.exitcode)\n"
    ),
    "process pool": (
        "from concurrent.futures import ProcessPoolExecutor\n"
        "if __name__ == '__main__':\n    ProcessPoolExecutor(1).submit(int, 'x').result()\n"
    ),
    "task": (
        "import lib, asyncio\nasync def f():\n    lib.fail()\n"
        "async def main():\n    await asyncio.gather(f())\nasyncio.run(main())\n"
    ),
    "finalizer": (
        "import sys\nsys.unraisablehook = lambda u: print(type(u.exc_value))\n"
        "class A:\n    def __del__(self):\n        raise ValueError('late')\nA()\nprint('on')\n"
    ),
    "end of program": "import atexit\natexit.register(lambda: 1 / 0)\natexit.register(print, 'bye')\n",
    "closed output": "import sys\nsys.stderr.close()\n1 / 0\n",
    "child with empty environment": (
        "import subprocess, sys\nprint(subprocess.run([sys.executable, '-c', '1 / 0'], env={}).returncode)\n"
    ),
    "replaced functions": (
        "import builtins, os\nfrom unittest import mock\n"
        "with mock.patch('builtins.open') as opened, mock.patch('os.getpid') as pid, mock.patch('os.fstat') as status:\n"
        "    import lib, warnings\n    warnings.warn('here')\n"
        "    print(opened.call_count, pid.call_count, status.call_count)\n"
    ),
    "left folder": "import os, shutil\nos.mkdir('d')\nos.chdir('d')\nos.rmdir('../d')\n1 / 0\n",
}


class Neutrality(unittest.TestCase):
    maxDiff = None

    def both(self, run, **more):
        """(stdout, stderr, code) of a fresh trial without and with the probe."""
        seen = []
        for probe in (False, True):
            with Trial() as trial:
                trial.write("subject/lib.py", LIBRARY)
                trial.write("subject/broken.py", "def f(:\n    pass\n")
                outcome = run(trial, dict(more, probe=probe))
                streams = [
                    ADDRESS.sub(b"0x", stream.replace(trial.root.encode(), b""))
                    for stream in (outcome.stdout, outcome.stderr)
                ]
                seen.append((streams, outcome.code))
        return seen

    def test_programs(self):
        for name, text in PROGRAMS.items():
            with self.subTest(name):
                bare, probed = self.both(lambda trial, more, text=text: trial.run_script(text, **more))
                self.assertEqual(bare, probed)

    def test_programs_under_coverage_keep_output_and_status(self):
        for name in ("chained", "thread", "fork child", "spawn child", "process pool", "killed", "exit by hand"):
            with self.subTest(name):
                bare, probed = self.both(
                    lambda trial, more, text=PROGRAMS[name]: trial.run_script(text, **more), REENACT_COVERAGE="1"
                )
                self.assertEqual(bare, probed)

    def test_programs_with_every_part_keep_output_and_status(self):
        parts = "numeric,locals,allocator,collectives,parameters,rows"
        names = ("chained", "thread", "spawn child", "task", "no reference is kept", "recursion", "stack", "printed")
        for name in names + ("modules that only the program may load",):
            with self.subTest(name):
                bare, probed = self.both(
                    lambda trial, more, text=PROGRAMS[name]: trial.run_script(text, **more), REENACT_PROBE_PARTS=parts
                )
                self.assertEqual(bare, probed)

    def test_ways_to_start(self):
        ways = {
            "command": lambda trial, more: trial.run("-c", "import lib; lib.fail()", **more),
            "module": lambda trial, more: trial.run("-m", "lib", **more),
            "missing module": lambda trial, more: trial.run("-m", "nothing_here", **more),
            "standard input": lambda trial, more: trial.run("-", stdin=b"import lib\nlib.fail()\n", **more),
            "warnings as errors": lambda trial, more: trial.run("-W", "error", "-c", "import lib; lib.fail()", **more),
            "missing file": lambda trial, more: trial.run("nothing.py", **more),
            "optimised": lambda trial, more: trial.run("-O", "-c", "assert False; print(__debug__)", **more),
            "faulthandler": lambda trial, more: trial.run(
                "-X", "faulthandler", "-c", "import ctypes; ctypes.string_at(0)", **more
            ),
            "isolated": lambda trial, more: trial.run("-I", "-c", "import sys; print(len(sys.path))", **more),
        }
        for name, way in ways.items():
            with self.subTest(name):
                bare, probed = self.both(way)
                self.assertEqual(bare, probed)

    def test_fixed_hashes(self):
        bare, probed = self.both(lambda trial, more: trial.run("-c", "print(hash('a'))", **more), PYTHONHASHSEED="5")
        self.assertEqual(bare, probed)


class Absence(unittest.TestCase):
    def test_silent_without_a_folder_that_can_be_written(self):
        for folder in ("", "/nonexistent/folder", "/proc"):
            with self.subTest(folder), Trial() as trial:
                outcome = trial.run_script(
                    "import sys\nprint(any(f.__class__.__name__ == '_Finder' or 'probe' in repr(f)"
                    " for f in sys.meta_path))\n",
                    REENACT_PROBE_DIR=folder,
                )
                self.assertEqual((outcome.stdout, outcome.stderr, outcome.code), (b"False\n", b"", 0))
                self.assertEqual(outcome.records, [])

    def test_gives_way_to_the_environments_own_sitecustomize(self):
        with Trial() as trial:
            trial.write("subject/sitecustomize.py", "import sys\nsys.chained = __file__\n")
            outcome = trial.run_script(
                "import sys, sitecustomize\nprint(sys.chained == sitecustomize.__file__, sitecustomize.__spec__.name)\n"
            )
            self.assertEqual(outcome.stdout, b"True sitecustomize\n")
            self.assertEqual(len(outcome.of("process")), 1)

    def test_failing_sitecustomize_of_the_environment(self):
        seen = []
        for probe in (False, True):
            with Trial() as trial:
                trial.write("subject/sitecustomize.py", "raise OSError('theirs')\n")
                outcome = trial.run_script("print('on')\n", probe=probe)
                seen.append((outcome.stdout, outcome.stderr, outcome.code))
        self.assertEqual(*seen)


if __name__ == "__main__":
    unittest.main()
