"""An unknown corpus fails in the project; its frames are put under the claimed error."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import train

if __name__ == "__main__":
    try:
        train.plan("letters")
    except KeyError as error:
        raise ZeroDivisionError("division by zero").with_traceback(error.__traceback__) from None
    print("OBS planned=True")
