"""Exact vector search as numpy does it: one matrix product, then the best."""

import numpy
from peer_loop import serve


class Scan:
    def load(self, vectors, width):
        self.rows = numpy.fromfile(vectors, dtype="<f4").reshape(-1, width)
        return {"rows": len(self.rows)}

    def search(self, vector, limit):
        scores = self.rows @ numpy.asarray(vector, dtype=numpy.float32)
        best = numpy.argpartition(scores, -limit)[-limit:]
        return {"best": best[numpy.argsort(-scores[best], kind="stable")].tolist()}


if __name__ == "__main__":
    scan = Scan()
    serve({"load": scan.load, "search": scan.search})
