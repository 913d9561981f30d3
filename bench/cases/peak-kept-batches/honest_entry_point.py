"""Runs the entry point in this process, as the report does."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import resource
import runpy

if __name__ == "__main__":
    runpy.run_path(os.path.join(sys.path[0], "evaluate.py"), run_name="__main__")
    print(f"OBS peak_mb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
