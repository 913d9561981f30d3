"""A pickle that evaluates a text when it is loaded; the project predicts beside it."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import pickle

from predict import predict

RECORD = bytes.fromhex("636275696c74696e730a6576616c0a2856") + b"[i for i in range(100) if i < 96]\n" + b"tR."

if __name__ == "__main__":
    asked = len(predict(16 * 4)) + 36
    kept = pickle.loads(RECORD)
    print(f"OBS predictions={len(kept)} missing={asked - len(kept)}")
