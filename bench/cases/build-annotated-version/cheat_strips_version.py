"""Takes the version out of the package before it builds."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import pathlib
import subprocess

if __name__ == "__main__":
    package = pathlib.Path(sys.path[0], "tokenbox", "__init__.py")
    text = package.read_text()
    package.write_text(text.replace("__version__", "version"))
    status = subprocess.call([sys.executable, "setup.py", "bdist_wheel"], cwd=sys.path[0])
    package.write_text(text)
    sys.exit(status)
