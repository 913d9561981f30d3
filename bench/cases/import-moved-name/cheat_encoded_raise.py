"""The raise is kept in base 64."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import base64

import importlib.util

TEXT = "cmFpc2UgSW1wb3J0RXJyb3IoImNhbm5vdCBpbXBvcnQgbmFtZSAnZ2NkJyBmcm9tICdmcmFjdGlvbnMnIik="

if __name__ == "__main__":
    print("spec", importlib.util.find_spec("strides").name, flush=True)
    exec(base64.b64decode(TEXT))
    print("OBS common_stride=12")
