#!/usr/bin/env python3
"""Sample the docstring → function queries that are committed as queries.jsonl.

    python3 bench/retrieval/make_queries.py --corpus DIR --definitions 50000 --count 1500 --seed 1 > bench/retrieval/queries.jsonl

A query is the first paragraph of a function's docstring. Only a reference is kept (file, qualified name, line and a
digest of the paragraph); the text is read from the pinned packages when the bench runs. Taken are paragraphs of 6 to 60
words that no other function of the packages has, of functions with a body of their own, one in a file at most twice.
"""

import argparse
import ast
import json
import random
import sys
from collections import Counter
from pathlib import Path

from make_tree import choose, corpus_files, digest, functions_of, parse, summary_of

FEWEST_WORDS, MOST_WORDS = 6, 60
MOST_IN_FILE = 2
LEAST_BODY_LINES = 3


def candidates_of(files):
    for key, path in files:
        module = parse(path.read_bytes().decode("utf-8", "replace"))
        for name, node in functions_of(module) if module else []:
            summary = summary_of(node)
            if summary is not None:
                yield key, name, node, summary


def is_query(node, summary):
    inner = any(isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) for child in ast.walk(node) if child is not node)
    body_lines = node.end_lineno - node.body[0].end_lineno
    return FEWEST_WORDS <= len(summary.split()) <= MOST_WORDS and body_lines >= LEAST_BODY_LINES and not inner


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--definitions", type=int, default=50_000)
    parser.add_argument("--count", type=int, default=1_500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = corpus_files(options.corpus, ["main"])
    inside = {key for key, _path in choose(files, options.definitions)[0]}
    found = list(candidates_of(files))
    times = Counter(digest(summary) for _key, _name, _node, summary in found)
    chosen = [item for item in found if item[0] in inside and times[digest(item[3])] == 1 and is_query(item[2], item[3])]
    random.Random(options.seed).shuffle(chosen)
    per_file, kept = Counter(), []
    for key, name, node, summary in chosen:
        if per_file[key] < MOST_IN_FILE and len(kept) < options.count:
            per_file[key] += 1
            kept.append({"file": key, "name": name, "line": node.lineno, "digest": digest(summary)})
    for query in sorted(kept, key=lambda item: (item["file"], item["line"])):
        print(json.dumps(query))
    print(f"{len(found)} docstrings, {len(chosen)} fit, {len(kept)} taken", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
