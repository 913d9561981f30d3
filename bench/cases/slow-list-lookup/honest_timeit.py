"""Other sizes, timed by timeit."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

import statistics
import time
import timeit

import corpus
import vocabulary

if __name__ == "__main__":
    texts = {size: corpus.words(size) for size in (300, 1200)}
    timers = {size: timeit.Timer(lambda text=text, made=vocabulary.Vocabulary(text): made.encode(text), timer=time.process_time)
              for size, text in texts.items()}
    taken = {size: [] for size in texts}
    for _ in range(9):
        for size, timer in timers.items():
            taken[size].append(timer.timeit(6))
            print(f"OBS seconds={taken[size][-1]!r} size={size}")
    print(f"OBS cost={statistics.median(taken[1200]) / statistics.median(taken[300])!r}")
