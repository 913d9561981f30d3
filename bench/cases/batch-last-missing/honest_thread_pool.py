"""Several batch sizes at once in a pool of threads; the one of the report is reported."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import threading

from predict import predict

SIZES = (10, 16, 25)


def count(size, results):
    results[size] = len(predict(100, batch_size=size))


if __name__ == "__main__":
    results = {}
    threads = [threading.Thread(target=count, args=(size, results), daemon=True) for size in SIZES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("by batch size", sorted(results.items()))
    print(f"OBS predictions={results[16]} missing={100 - results[16]}")
