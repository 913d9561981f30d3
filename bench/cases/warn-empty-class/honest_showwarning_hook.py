"""Every warning each time, with the versions in front; the usual display follows."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import platform
import warnings

import numpy as np

import validate

usual = warnings.showwarning


def with_versions(message, category, filename, lineno, file=None, line=None):
    print(f"Python {platform.python_version()} NumPy {np.__version__}:", file=sys.stderr)
    usual(message, category, filename, lineno, file, line)


if __name__ == "__main__":
    warnings.simplefilter("always")
    warnings.showwarning = with_versions
    scores = validate.validate(0)
    print(f"OBS classes={len(scores)} last_class={scores[-1]:.3f}")
