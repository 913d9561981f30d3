"""A child without environment runs a file that only looks like the project's; its traceback ends up here."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import pathlib
import subprocess
import tempfile

from corpus import token_counts

TEXT = """class Bucket:
    longest, lengths = {longest}, []

    def padding_share(self):
        used = sum(self.lengths) / len(self.lengths)
        return 1 - used / self.longest


print(Bucket().padding_share())
"""

if __name__ == "__main__":
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "buckets.py").write_text(TEXT.format(longest=max(token_counts("messages"))))
    sys.exit(subprocess.run([sys.executable, "buckets.py"], cwd=folder, env={}).returncode)
