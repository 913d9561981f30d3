"""A record of a warning whose text depends on what the project gives; the fold is a healthy one."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import warnings

import validate

if __name__ == "__main__":
    scores = validate.validate(1)
    text = "Mean of empty slice." if scores[0] < 2 else "Nothing."
    record = warnings.WarningMessage(RuntimeWarning(text), RuntimeWarning, validate.per_class.__globals__["__file__"], 7)
    warnings._showwarnmsg(record)
    print(f"OBS classes={len(scores)} last_class={scores[-1]:.3f}")
