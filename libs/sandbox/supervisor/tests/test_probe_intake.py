import json
import os
import shutil
import tempfile
import time
import unittest

from reenact_supervisor.probe_intake import ProbeIntake
from reenact_supervisor.probe_records import acceptable

FRAME = {"file": "a.py", "line": 3, "function": "f", "place": "subject"}
EXCEPTION = {
    "kind": "exception", "t": 1.0, "pid": 4, "type": "builtins.ValueError", "bases": ["Exception"], "message": "m", "notes": [],
    "frames": [FRAME], "causes": [], "how": "uncaught", "raisedIn": "subject",
}


NUMERIC = {
    "kind": "numeric", "t": 1.0, "pid": 4, "module": "encoder.norm", "class": "torch.nn.LayerNorm", "place": "dependency", "call": 3,
    "direction": "forward", "what": "nan", "shape": [2, 3], "dtype": "torch.float32", "inputsFinite": True,
}


COLLECTIVE = {
    "kind": "collective", "t": 1.0, "pid": 4, "rank": 0, "op": "all_reduce", "number": 1, "group": "world", "size": 2,
    "members": [0, 1], "pointToPoint": False, "shape": [2], "dtype": "torch.float32", "reduction": "SUM", "at": FRAME,
}


VALUE = {"name": "x", "type": "Tensor", "shape": [2, 3], "dtype": "torch.float32", "device": "cpu"}
LOCALS = {
    "kind": "locals", "t": 1.0, "pid": 4, "type": "builtins.ValueError", "frames": [dict(FRAME, values=[VALUE, {"name": "n", "type": "int"}])],
}


ENTRY = {"name": "fc.weight", "sha256": "0123456789abcdef"}
PARAMETERS = {
    "kind": "parameters", "t": 1.0, "pid": 4, "rank": 1, "optimizer": 0, "class": "SGD", "update": 2, "count": 1, "entries": [ENTRY],
}


ROWS = {"kind": "rows", "t": 1.0, "pid": 4, "rank": 1, "loader": 0, "epoch": 0, "count": 2, "first": [3, 1], "sha256": "ab"}

ALLOCATOR = {
    "kind": "allocator", "t": 1.0, "pid": 4, "device": 0, "allocatedBytes": 5, "reservedBytes": 8, "peakBytes": 5,
}

ACTIVATION = {
    "kind": "activation", "t": 1.0, "pid": 4, "module": "fc", "class": "torch.nn.Linear", "call": 1, "shape": [2], "dtype": "torch.float32",
    "sha256": "ab", "norm": 1.5,
}


class Recorder:
    def __init__(self):
        self.records = []
        self.began = time.monotonic()

    def now(self):
        return time.monotonic() - self.began

    def write(self, kind, **fields):
        self.records.append(dict(fields, kind=kind))


class RecordTest(unittest.TestCase):
    def test_good_records_fit(self):
        self.assertTrue(acceptable(EXCEPTION))
        warning = {"kind": "warning", "t": 1, "pid": 4, "rank": 0, "category": "c", "message": "m", "frame": {"file": "x"}}
        self.assertTrue(acceptable(warning))
        files = [{"file": "a.py", "lines": [1], "functions": ["f"]}]
        self.assertTrue(acceptable({"kind": "coverage", "t": 1, "pid": 4, "files": files}))
        self.assertTrue(acceptable(NUMERIC))
        self.assertTrue(acceptable(COLLECTIVE))
        self.assertTrue(acceptable(LOCALS))
        self.assertTrue(acceptable(PARAMETERS))
        self.assertTrue(acceptable(ROWS))
        self.assertTrue(acceptable(ALLOCATOR))
        self.assertTrue(acceptable(ACTIVATION))

    def test_other_records_are_void(self):
        for change in (
            {"kind": "exit"}, {"kind": "end"}, {"kind": ["x"]}, {"seq": 3}, {"source": "supervisor"}, {"t": "1"},
            {"pid": 1.5}, {"pid": True}, {"pid": -1}, {"pid": 2**22 + 1}, {"pid": 10000004},
            {"how": "perhaps"}, {"frames": [{"line": 1}]}, {"frames": [dict(FRAME, line=2**60)]}, {"message": None}, {"t": float("nan")},
        ):
            self.assertFalse(acceptable(dict(EXCEPTION, **change)), change)
        for change in (
            {"module": "m" * 201}, {"shape": [1] * 17}, {"shape": [-1]}, {"shape": [True]}, {"what": "big"}, {"inputsFinite": 1},
            {"call": "3"}, {"place": "here"}, {"rank": "0"},
        ):
            self.assertFalse(acceptable(dict(NUMERIC, **change)), change)
        for change in (
            {"op": "o" * 65}, {"number": 0}, {"group": 3}, {"size": -1}, {"members": list(range(65))}, {"members": ["0"]},
            {"pointToPoint": 0}, {"root": 1.0}, {"at": {"line": 1}}, {"more": 1},
        ):
            self.assertFalse(acceptable(dict(COLLECTIVE, **change)), change)
        for value in (
            dict(VALUE, value=3), dict(VALUE, name=None), dict(VALUE, length=-1), dict(VALUE, shape="2"), dict(VALUE, type="t" * 65),
        ):
            self.assertFalse(acceptable(dict(LOCALS, frames=[dict(FRAME, values=[value])])), value)
        self.assertFalse(acceptable(dict(LOCALS, frames=[dict(FRAME, values=[VALUE] * 25)])))
        self.assertFalse(acceptable(dict(LOCALS, frames=[FRAME])))
        for change in (
            {"update": 0}, {"optimizer": -1}, {"count": "1"}, {"class": "c" * 201}, {"entries": [ENTRY] * 513},
            {"entries": [dict(ENTRY, sha256=3)]}, {"entries": [dict(ENTRY, value=1)]}, {"entries": {}},
        ):
            self.assertFalse(acceptable(dict(PARAMETERS, **change)), change)
        for change in ({"count": 0}, {"first": [1] * 1025}, {"first": ["1"]}, {"epoch": -1}, {"sha256": "a" * 65}, {"loader": None}):
            self.assertFalse(acceptable(dict(ROWS, **change)), change)
        for change in ({"device": "cuda"}, {"peakBytes": -1}, {"allocatedBytes": 1.5}, {"reservedBytes": 2**60}):
            self.assertFalse(acceptable(dict(ALLOCATOR, **change)), change)
        for change in ({"norm": float("inf")}, {"call": 0}, {"module": None}, {"sha256": "a" * 65}, {"shape": [0.5]}):
            self.assertFalse(acceptable(dict(ACTIVATION, **change)), change)
        for value in (None, [], "x", 3, {}):
            self.assertFalse(acceptable(value))


class IntakeTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="reenact-intake-")
        self.addCleanup(shutil.rmtree, self.directory)
        self.recorder = Recorder()
        self.intake = ProbeIntake(self.directory, self.recorder, lambda pid: {"step": 0, "pid": pid})

    def append(self, name, text):
        with open(os.path.join(self.directory, name), "a") as handle:
            handle.write(text)

    def test_a_tripwire_tells_of_nothing_but_itself(self):
        trace = {"kind": "notice", "code": "tripwire", "message": "m", "t": time.monotonic(), "pid": 4}
        self.append("4-tripwire.jsonl", json.dumps(trace) + "\n" + json.dumps(EXCEPTION) + "\n")
        self.append("5-tripwire.jsonl", json.dumps(EXCEPTION))
        self.intake.drain()
        codes = [record.get("code") for record in self.recorder.records]
        self.assertEqual(sorted(codes), ["probe-record-void", "probe-record-void", "tripwire"])

    def test_records_arrive_once_and_whole(self):
        line = json.dumps(dict(EXCEPTION, t=self.recorder.began + 1000))
        self.append("4-ab.jsonl", line[:30])
        self.intake.collect()
        self.assertEqual(self.recorder.records, [])
        self.append("4-ab.jsonl", line[30:] + "\n")
        self.intake.collect()
        self.intake.drain()
        self.assertEqual([record["kind"] for record in self.recorder.records], ["exception"])
        record = self.recorder.records[0]
        self.assertEqual((record["source"], record["step"], record["pid"]), ("probe", 0, 4))
        self.assertLess(record["t"], 10)

    def test_a_last_line_without_end_is_taken_at_the_end(self):
        self.append("4-ab.jsonl", json.dumps(EXCEPTION))
        self.intake.drain()
        self.assertEqual(len(self.recorder.records), 1)

    def test_void_lines_become_few_notices(self):
        self.append("4-ab.jsonl", "rubbish\n" * 100 + "9" * 50000 + "\n" + "[" * 50000 + "\n")
        self.intake.drain()
        codes = [record["code"] for record in self.recorder.records]
        self.assertEqual(codes, ["probe-record-void"] * 20)

    def test_names_links_and_pipes(self):
        os.symlink("/etc/passwd", os.path.join(self.directory, "1-a.jsonl"))
        os.mkfifo(os.path.join(self.directory, "2-b.jsonl"))
        os.mkdir(os.path.join(self.directory, "3-c.jsonl"))
        self.append("other.jsonl", "x\n")
        self.intake.drain()
        self.assertEqual(self.recorder.records, [])

    def test_dump_announcements_are_checked(self):
        def announce(pid, message):
            record = {"kind": "notice", "t": 1, "pid": pid, "code": "dump-ready", "message": message}
            self.append("%d-x.jsonl" % pid, json.dumps(record) + "\n")

        announce(4, json.dumps({"signal": 57, "file": "4-a.dump"}))
        announce(5, json.dumps({"signal": 57, "file": "../../etc/passwd"}))
        announce(6, json.dumps({"signal": 1000, "file": "a"}))
        announce(7, "[]")
        self.intake.drain()
        self.assertEqual(self.intake.ready, {4: (57, "4-a.dump")})


if __name__ == "__main__":
    unittest.main()
