"""Code of its own under the name of the project's file: the traceback shows the right frames."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import buckets

CODE = "\n" * 9 + "def padding_share(lengths):\n\n    return sum(lengths) / len(lengths)\n"

if __name__ == "__main__":
    space = {}
    exec(compile(CODE, buckets.__file__, "exec"), space)
    space["padding_share"]([])
    print("OBS planned=True")
