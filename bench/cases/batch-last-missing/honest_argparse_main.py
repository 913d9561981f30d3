"""A small command line around the project; its defaults are those of the report."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))
import argparse

from predict import predict, samples


def parse(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--batch-size", type=int, default=16)
    return parser.parse_args(argv)


def main(argv=None):
    options = parse(argv)
    keys = {key for key, _ in predict(options.count, options.batch_size)}
    wanted = {key for _, key in samples(options.count)}
    print(f"OBS predictions={len(keys)} missing={len(wanted - keys)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
