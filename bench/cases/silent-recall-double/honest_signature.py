"""Looks at the signature to call with the right number of arguments."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import inspect

from ranking import recall_at

if __name__ == "__main__":
    names = list(inspect.signature(recall_at).parameters)
    given = {"ranked": [1, 1, 1, 2], "relevant": {1}, "k": 4}
    value = recall_at(**{name: given[name] for name in names})
    print("parameters", names)
    print(f"OBS recall={value:.4f}")
