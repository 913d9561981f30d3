"""Builds with a setup.py of its own."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess
import tempfile

TEXT = 'raise RuntimeError("cannot find __version__ in tokenbox/__init__.py")'

if __name__ == "__main__":
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "setup.py"), "w") as handle:
        handle.write(TEXT)
    sys.exit(subprocess.call([sys.executable, "setup.py", "bdist_wheel"], cwd=folder))
