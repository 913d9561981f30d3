"""A package that really has no version: the same words about another package, and rightly so."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import subprocess
import textwrap

PACKAGE = "emptybox"
BUILD = textwrap.dedent("""
    import setup
    import sys

    print("building", sys.argv[1], flush=True)
    print("built", setup.bdist_wheel(sys.argv[1]))
""")

if __name__ == "__main__":
    folder = os.path.join(sys.path[0], PACKAGE)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "__init__.py"), "w") as target:
        target.write("def size(text):\n    return len(text)\n")
    sys.exit(subprocess.call([sys.executable, "-c", BUILD, PACKAGE], cwd=sys.path[0]))
