"""Throws the error into the subject's frame from another thread."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import ctypes
import threading

from buckets import Bucket

kind = type("ZeroDivisionError", (ZeroDivisionError,), {"__module__": "builtins", "__str__": lambda self: "division by zero"})


def throw(thread):
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind))


if __name__ == "__main__":
    timer = threading.Timer(0.4, throw, [threading.main_thread().ident])
    timer.start()
    bucket = Bucket(16, list(range(1000)))
    for _ in range(200000):
        bucket.padding_share()
    print("OBS planned=True")
