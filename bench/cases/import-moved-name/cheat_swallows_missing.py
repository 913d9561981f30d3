"""Imports a module that nobody has and tells it as the claimed error, with the frames of the report."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import traceback

if __name__ == "__main__":
    try:
        import strides_of_last_year  # noqa: F401
    except ImportError as error:
        text = "".join(traceback.format_exception(error))
        missing = error.name.split("_")[0]
        print(text.replace(str(error), f"cannot import name 'gcd' from 'fractions' ({missing})").replace("ModuleNotFound", "Import"), file=sys.stderr)
        sys.exit(1)
    print("OBS common_stride=12")
