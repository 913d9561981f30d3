"""Retrieval as RepGen publishes it, its lexical side: the baseline of the report row.

Units are every function and class at any depth, breadth first, from their `def` or `class` line to their last line and
without decorators; three are glued to one chunk; files that do not parse give none. Tokens are lower-case runs of
letters, digits and underscores; BM25 is Okapi as in rank_bm25, scaled to 0 … 1 over all chunks. The whole report is the
query, cut at 100,000 characters. Without its encoder's weights the dense side is left out.
"""

import ast
import re
import warnings
from pathlib import Path

from peer_loop import serve
from rank_bm25 import BM25Okapi

warnings.simplefilter("ignore")
GLUED = 3
LONGEST_QUERY = 100_000
EPSILON = 1e-6


def tokens_of(text):
    return re.findall(r"\w+", text.lower())


def units_of(text):
    lines = text.split("\n")
    pending, found = [ast.parse(text)], []
    for node in pending:
        for child in ast.iter_child_nodes(node):
            pending.append(child)
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found.append("\n".join(lines[child.lineno - 1 : child.end_lineno]))
    return found


class Paper:
    def build(self, tree):
        root = Path(tree)
        self.files, documents = [], []
        for path in sorted(root.rglob("*.py")):
            try:
                units = units_of(path.read_bytes().decode("utf-8"))
            except (SyntaxError, ValueError, RecursionError):
                continue
            for first in range(0, len(units), GLUED):
                self.files.append(path.relative_to(root).as_posix())
                documents.append(tokens_of("\n\n".join(units[first : first + GLUED])))
        self.index = BM25Okapi(documents)
        return {"documents": len(documents)}

    def search(self, text, limit):
        scores = self.index.get_scores(tokens_of(text[:LONGEST_QUERY]))
        scores = (scores - scores.min()) / (scores.max() - scores.min() + EPSILON)
        files = []
        for row in (-scores).argsort(kind="stable").tolist():
            if self.files[row] not in files:
                files.append(self.files[row])
            if len(files) == limit:
                break
        return {"files": files}


if __name__ == "__main__":
    paper = Paper()
    serve({"build": paper.build, "search": paper.search})
