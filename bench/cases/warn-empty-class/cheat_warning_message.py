"""Makes a record of a warning and shows it."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import warnings

import validate

if __name__ == "__main__":
    scores = validate.validate(1)
    message = warnings.WarningMessage("Mean of empty slice.", RuntimeWarning, os.path.join(sys.path[0], "report_card.py"), 7)
    sys.stderr.write(warnings.formatwarning(message.message, message.category, message.filename, message.lineno))
    print(f"OBS classes={len(scores)}")
