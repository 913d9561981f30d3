import io
import json
import os
import shutil
import struct
import tempfile
import unittest
import zipfile

from reenact_supervisor.left_files import file_facts, is_watchable
from reenact_supervisor.tree import SubjectCopy


class LeftFilesTest(unittest.TestCase):
    def setUp(self):
        self.base = tempfile.mkdtemp(prefix="reenact-left-")
        self.addCleanup(shutil.rmtree, self.base)
        source = os.path.join(self.base, "source")
        os.mkdir(source)
        for name in ("kept.json", "edited.json"):
            with open(os.path.join(source, name), "w") as handle:
                handle.write("{}")
        os.mkdir(os.path.join(self.base, "tmp"))
        self.copy = SubjectCopy(source, os.path.join(self.base, "copy"), None)

    def put(self, path, data, root="copy"):
        full = os.path.join(self.base, root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as handle:
            handle.write(data)
        return self.facts(path)

    def facts(self, path):
        return file_facts(path, self.copy, os.path.join(self.base, "tmp"))

    def test_paths_that_leave_their_root_are_refused(self):
        for path in ("a.txt", "runs/a b.json", "@tmp/x/y", "..a"):
            self.assertTrue(is_watchable(path), path)
        for path in ("", "/etc/passwd", "../a", "a/../../b", "a//b", "./a", "a/", "@tmp/../x", "@tmp/", "a\0b", "a" * 2000):
            self.assertFalse(is_watchable(path), path)

    def test_origin_tells_new_changed_and_same(self):
        self.assertEqual(self.facts("kept.json")["origin"], "same")
        self.assertEqual(self.put("edited.json", b'{"a": 1}')["origin"], "changed")
        made = self.put("runs/log.txt", "epoch 1 \u00e9\n".encode())
        self.assertEqual((made["origin"], made["state"], made["format"], made["head"]), ("new", "regular", "text", "epoch 1 \u00e9\n"))
        self.assertEqual(len(made["sha256"]), 64)

    def test_absent_links_folders_and_what_lies_behind_them(self):
        self.assertEqual(self.facts("nothing/there.txt")["state"], "absent")
        os.symlink("/etc/hostname", os.path.join(self.base, "copy", "link.txt"))
        os.symlink("/etc", os.path.join(self.base, "copy", "etc"))
        os.mkfifo(os.path.join(self.base, "copy", "pipe"))
        states = [self.facts(path)["state"] for path in ("link.txt", "etc", "etc/hostname", "pipe", "kept.json/x", ".")]
        self.assertEqual(states[:5], ["link", "link", "link", "other", "other"])
        self.assertIsNone(self.facts("etc/hostname")["sha256"])

    def test_temporary_files_are_apart_from_the_subject(self):
        self.put("out.txt", b"x", root="tmp")
        self.assertEqual((self.facts("@tmp/out.txt")["state"], self.facts("out.txt")["state"]), ("regular", "absent"))

    def test_keys_of_known_forms(self):
        self.assertEqual(self.put("a.json", b' {"b": 1, "a": {"c": 2}}')["keys"], ["a", "b"])
        header = json.dumps({"__metadata__": {}, "weight": {}}).encode()
        self.assertEqual(self.put("m.safetensors", struct.pack("<Q", len(header)) + header + b"\0" * 8)["keys"], ["weight"])
        for names, form, keys in (
            (["x.npy", "y.npy"], "npz", ["x", "y"]),
            (["archive/data.pkl", "archive/data/0"], "torch", ["data.pkl", "data/0"]),
            (["notes.txt"], "zip", ["notes.txt"]),
        ):
            facts = self.put("some.zip", _archive(names))
            self.assertEqual((facts["format"], facts["keys"], facts["head"]), (form, keys, None))

    def test_hostile_content_gives_no_keys_and_no_error(self):
        deep = b'{"a":' + b"[" * 100000 + b"]" * 100000 + b"}"
        bomb = bytearray(_archive(["a.npy"]))
        bomb[-10:-6] = struct.pack("<I", 0x7FFFFFFF)
        for data in (deep, bytes(bomb), b"PK\x05\x06", b"{", b"\xff\xfe{", struct.pack("<Q", 1 << 60) + b"{}"):
            self.assertIsNone(self.put("bad.bin", data)["keys"])
        with open(os.path.join(self.base, "copy", "sparse.bin"), "wb") as handle:
            handle.truncate(1 << 40)
        facts = self.facts("sparse.bin")
        self.assertEqual((facts["sizeBytes"], facts["sha256"], facts["format"]), (1 << 40, None, "binary"))

    def test_much_is_cut_and_says_so(self):
        facts = self.put("many.json", json.dumps({str(number): 0 for number in range(3000)}).encode())
        self.assertEqual((len(facts["keys"]), facts["keysCut"]), (2000, True))
        text = self.put("long.txt", "\u00e9".encode() * 40000 + b"x")
        self.assertEqual((text["format"], text["headCut"], text["head"][:2]), ("text", True, "\u00e9\u00e9"))


def _archive(names):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, b"0")
    return buffer.getvalue()
