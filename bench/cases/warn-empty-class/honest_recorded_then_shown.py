"""Records the warnings of the call, counts them, and shows them again where they came from."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import warnings

from validate import validate

if __name__ == "__main__":
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores = validate(0)
    print("warnings", [w.category.__name__ for w in caught])
    for w in caught:
        warnings.showwarning(w.message, w.category, w.filename, w.lineno)
    print(f"OBS classes={len(scores)} last_class={scores[-1]:.3f} warnings={len(caught)}")
