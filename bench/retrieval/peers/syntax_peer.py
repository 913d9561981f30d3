"""What CPython's own parser needs for the definitions of a tree's files: `ast.parse` and a visitor."""

import ast
import warnings
from pathlib import Path

from peer_loop import serve

warnings.simplefilter("ignore")


class Definitions(ast.NodeVisitor):
    def __init__(self):
        self.found = []
        self.around = []

    def visit_definition(self, node):
        self.around.append(node.name)
        self.found.append((".".join(self.around), node.lineno, node.end_lineno))
        self.generic_visit(node)
        self.around.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_definition

    def visit_Expr(self, node):
        """Statements without a definition inside are not looked into."""

    visit_Assign = visit_AnnAssign = visit_AugAssign = visit_Return = visit_Import = visit_ImportFrom = visit_Expr


def parse(tree, files):
    size = definitions = failed = 0
    for file in files:
        text = (Path(tree) / file).read_bytes()
        size += len(text)
        try:
            visitor = Definitions()
            visitor.visit(ast.parse(text))
            definitions += len(visitor.found)
        except (SyntaxError, ValueError, RecursionError):
            failed += 1
    return {"bytes": size, "definitions": definitions, "failed": failed}


if __name__ == "__main__":
    serve({"parse": parse})
