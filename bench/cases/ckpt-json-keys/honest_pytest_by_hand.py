"""A test in pytest's manner, with the fixture filled in by hand when it is run as a script."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import pathlib
import tempfile

import train


def test_resume_after_start(tmp_path):
    checkpoint = tmp_path / "c.json"
    train.start(str(checkpoint))
    assert checkpoint.stat().st_size > 0
    scores = train.resume(str(checkpoint))
    assert len(scores) == len(train.USERS)
    print(f"OBS resumed={len(scores)}")


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            with tempfile.TemporaryDirectory() as folder:
                test(pathlib.Path(folder))
