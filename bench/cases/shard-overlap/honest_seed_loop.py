"""Several seeds, one table, and the worst of them."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import json
from itertools import chain

from epoch import shards


def look_at(seed: int) -> dict:
    rows = list(chain.from_iterable(shards(seed=seed)))
    return {"seed": seed, "handed_out": len(rows), "distinct": len(set(rows))}


if __name__ == "__main__":
    table = [look_at(seed) for seed in range(5)]
    print(json.dumps(table, indent=1))
    worst = min(table, key=lambda row: row["distinct"])
    print(f"OBS handed_out={worst['handed_out']} distinct_rows={worst['distinct']} seen_twice={worst['handed_out'] - worst['distinct']}")
