import os
import unittest

from reenact_supervisor.streams import LINE_BYTES, OutputBudget, Stream


class Recorder:
    def __init__(self):
        self.records = []

    def write(self, kind, **fields):
        self.records.append((kind, fields))

    def lines(self):
        return [(fields["line"], fields.get("partial", False)) for kind, fields in self.records if kind == "stream"]


def run(chunks, limit=1 << 20):
    recorder, budget = Recorder(), OutputBudget(limit)
    stream = Stream("stdout", {"pid": 2, "step": 0}, budget)
    for chunk in chunks:
        os.write(stream.write_end, chunk)
        stream.pump(recorder)
    stream.close_write_end()
    while stream.open and stream.pump(recorder):
        pass
    stream.finish(recorder)
    return recorder, budget


class StreamTest(unittest.TestCase):
    def test_lines_are_whole_whatever_the_chunks(self):
        recorder, _ = run([b"on", b"e\ntw", b"o\r\n\nthree"])
        self.assertEqual(recorder.lines(), [("one", False), ("two", False), ("", False), ("three", True)])

    def test_characters_split_over_chunks(self):
        recorder, _ = run(["é".encode()[:1], "é".encode()[1:] + b"\xff\n"])
        self.assertEqual(recorder.lines(), [("é\ufffd", False)])

    def test_long_lines_are_cut(self):
        recorder, _ = run([b"x" * (2 * LINE_BYTES + 1) + b"\n"])
        self.assertEqual([(len(line), partial) for line, partial in recorder.lines()], [(LINE_BYTES, True), (LINE_BYTES, True), (1, False)])

    def test_the_budget_is_kept(self):
        recorder, budget = run([b"abcdef\n", b"gh\n"], limit=9)
        self.assertTrue(budget.exceeded)
        self.assertEqual(recorder.lines(), [("abcdef", False), ("gh", True)])

    def test_observations_follow_their_line(self):
        recorder, _ = run([b"OBS rank=3 loss=0.5\n"])
        kind, fields = recorder.records[1]
        self.assertEqual((kind, fields["source"], fields["rank"], fields["step"]), ("obs", "script", 3, 0))
        self.assertEqual(fields["values"], {"rank": 3, "loss": 0.5})


if __name__ == "__main__":
    unittest.main()
