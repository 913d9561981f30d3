"""Lexical peers over the same tokens: `lexical_peer.py rank_bm25 | bm25s | lancedb`."""

import shutil
import sys
import tempfile
import time

import numpy
from peer_loop import read_tokens, serve

# The formula's own constants, so that a peer ranks as well as it can (libs/retrieval/src/formula.ts).
K1, B = 1.5, 0.75


def best_of(scores, limit):
    limit = min(limit, len(scores))
    best = numpy.argpartition(scores, -limit)[-limit:]
    return best[numpy.argsort(-scores[best], kind="stable")].tolist()


class RankBm25:
    def build(self, tokens):
        from rank_bm25 import BM25Okapi

        documents = read_tokens(tokens)
        begun, cpu = time.perf_counter(), time.process_time()
        self.index = BM25Okapi(documents, k1=K1, b=B)
        return {"documents": len(documents), "seconds": time.perf_counter() - begun, "cpuSeconds": time.process_time() - cpu}

    def search(self, tokens, limit):
        return {"best": best_of(self.index.get_scores(tokens), limit)}


class Bm25s:
    def build(self, tokens):
        import bm25s

        documents = read_tokens(tokens)
        begun, cpu = time.perf_counter(), time.process_time()
        self.index = bm25s.BM25(method="lucene", k1=K1, b=B)
        self.index.index(documents, show_progress=False)
        self.size = len(documents)
        return {"documents": len(documents), "seconds": time.perf_counter() - begun, "cpuSeconds": time.process_time() - cpu}

    def search(self, tokens, limit):
        rows, _scores = self.index.retrieve([tokens], k=min(limit, self.size), show_progress=False, n_threads=1)
        return {"best": rows[0].tolist()}


class LanceDb:
    def build(self, tokens):
        import lancedb
        from lancedb.index import FTS

        with open(tokens, encoding="utf-8", newline="\n") as handle:
            rows = [{"row": row, "tk": line.rstrip("\n")} for row, line in enumerate(handle)]
        self.folder = tempfile.mkdtemp(prefix="reenact-lance-")
        begun, cpu = time.perf_counter(), time.process_time()
        self.table = lancedb.connect(self.folder).create_table("chunks", rows)
        # Whole tokens as they are given: no stemming, no stop words, no positions.
        plain = {"base_tokenizer": "whitespace", "stem": False, "remove_stop_words": False, "ascii_folding": False}
        settings = {"with_position": False, "lower_case": False, "max_token_length": 256, **plain}
        if hasattr(self.table, "create_fts_index"):
            self.table.create_fts_index("tk", use_tantivy=False, **settings)
        else:
            self.table.create_index("tk", config=FTS(**settings))
        return {"documents": len(rows), "seconds": time.perf_counter() - begun, "cpuSeconds": time.process_time() - cpu}

    def search(self, tokens, limit):
        from lancedb.query import MatchQuery

        found = self.table.search(MatchQuery(" ".join(tokens), "tk"), query_type="fts").select(["row"]).limit(limit).to_arrow()
        return {"best": found["row"].to_pylist()}

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        return {}


PEERS = {"rank_bm25": RankBm25, "bm25s": Bm25s, "lancedb": LanceDb}

if __name__ == "__main__":
    peer = PEERS[sys.argv[1]]()
    serve({"build": peer.build, "search": peer.search, "close": getattr(peer, "close", lambda: {})})
