#!/usr/bin/env python3
"""Lay out a tree of a given size from fetched corpora, and the prose that queries are made of.

    python3 bench/retrieval/make_tree.py --corpus DIR --definitions 50000 --into TREE [--set main]
                                         [--queries queries.jsonl] [--prose prose.json]

Files come in the order of a hash of their path, so that every size mixes all packages and a smaller tree is part of a
larger one. With `--queries` the docstrings of the queries whose function lies in the tree are taken out of its files,
and the queries come out as JSON lines with their text. `--prose` gets docstrings and error messages of the tree.
"""

import argparse
import ast
import hashlib
import json
import os
import re
import shutil
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEFINITION = re.compile(rb"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]", re.MULTILINE)


def corpus_files(corpus, sets):
    """(key, absolute path) of every file of the pinned packages that are there, in the order of a hash of the key."""
    found = []
    for package in json.loads((HERE / "corpora.json").read_text())["packages"]:
        root = corpus / "trees" / f"{package['name']}-{package['version']}"
        if package["set"] not in sets or not root.is_dir():
            continue
        for path in root.rglob("*.py"):
            found.append((f"{package['name']}/{path.relative_to(root).as_posix()}", path))
    return sorted(found, key=lambda item: hashlib.sha256(item[0].encode()).digest())


def choose(files, definitions):
    taken, count = [], 0
    for key, path in files:
        if count >= definitions:
            break
        count += len(DEFINITION.findall(path.read_bytes()))
        taken.append((key, path))
    return taken, count


def functions_of(module):
    """(qualified name, node) of every function and method, classes around it joined by dots; not of functions in functions."""
    pending = [("", module)]
    while pending:
        around, node = pending.pop()
        for child in ast.iter_child_nodes(node):
            name = around
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{around}.{child.name}" if around else child.name
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield name, child
            else:
                pending.append((name, child))


def parse(text):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def summary_of(node):
    """First paragraph of a docstring, as one line; None without one."""
    text = ast.get_docstring(node)
    if not text:
        return None
    return " ".join(text.strip().split("\n\n", 1)[0].split())


def digest(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def without_docstrings(path, wanted):
    """The file's text without the docstrings of the wanted functions, and the summaries of those that agree."""
    text = path.read_bytes().decode("utf-8", "replace")
    module = parse(text)
    summaries, drop = {}, []
    for name, node in functions_of(module) if module else []:
        reference = wanted.get((name, node.lineno))
        summary = summary_of(node) if reference else None
        if summary is None or digest(summary) != reference["digest"]:
            continue
        summaries[(name, node.lineno)] = summary
        drop.append((node.body[0].lineno, node.body[0].end_lineno))
    # Split as Python counts lines: only at \n, \r\n and \r.
    lines = re.split(r"\r\n|\r|\n", text)
    for first, last in drop:
        # The lines stay, empty, so that the places of everything else stay what they were.
        lines[first - 1 : last] = [""] * (last - first + 1)
    return "\n".join(lines), summaries


def read_queries(file):
    by_file = {}
    for line in file.read_text().splitlines():
        query = json.loads(line)
        by_file.setdefault(query["file"], {})[(query["name"], query["line"])] = query
    return by_file


def lay_out(files, queries, target):
    aside = target.with_name(f"{target.name}.part")
    shutil.rmtree(aside, ignore_errors=True)
    told = []
    for key, path in files:
        place = aside / key
        place.parent.mkdir(parents=True, exist_ok=True)
        wanted = queries.get(key)
        if wanted is None:
            shutil.copyfile(path, place)
            continue
        text, summaries = without_docstrings(path, wanted)
        place.write_text(text, encoding="utf-8", newline="")
        told += [{"file": key, "name": name, "text": summary} for (name, _line), summary in summaries.items()]
    shutil.rmtree(target, ignore_errors=True)
    os.replace(aside, target)
    return told


def prose_of(files, most):
    """Docstrings of some length and messages of raised errors: what a report of these packages would speak like."""
    docstrings, errors = [], []
    for _key, path in files:
        module = parse(path.read_bytes().decode("utf-8", "replace"))
        for node in ast.walk(module) if module else []:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                text = ast.get_docstring(node) or ""
                if 200 <= len(text) <= 2000:
                    docstrings.append(text)
            elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
                parts = [part.value for part in ast.walk(node.exc) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
                text = f"{node.exc.func.id}: {' '.join(parts)}"
                if len(text) >= 40:
                    errors.append(text[:400])
        if len(docstrings) >= most and len(errors) >= most:
            break
    return {"docstrings": docstrings[:most], "errors": errors[:most]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--definitions", type=int, required=True)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--set", dest="sets", action="append", choices=["main", "large"])
    parser.add_argument("--queries", type=Path)
    parser.add_argument("--prose", type=Path)
    options = parser.parse_args()
    files, definitions = choose(corpus_files(options.corpus, options.sets or ["main"]), options.definitions)
    if not files:
        print(f"no pinned package is unpacked in {options.corpus}", file=sys.stderr)
        return 1
    options.into.parent.mkdir(parents=True, exist_ok=True)
    if options.prose:
        options.prose.write_text(json.dumps(prose_of(files, 1000)))
    told = lay_out(files, read_queries(options.queries) if options.queries else {}, options.into)
    for query in told:
        print(json.dumps(query))
    print(json.dumps({"files": len(files), "definitions": definitions, "queries": len(told)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
