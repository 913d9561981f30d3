"""Length buckets for a text classifier: a batch holds texts of similar length."""
from dataclasses import dataclass, field


@dataclass
class Bucket:
    longest: int
    lengths: list = field(default_factory=list)

    def padding_share(self):
        """Share of padding tokens when all texts are padded to the longest allowed length."""
        used = sum(self.lengths) / len(self.lengths)
        return 1 - used / self.longest


def fill(lengths, edges):
    buckets = [Bucket(edge) for edge in edges]
    for length in lengths:
        fitting = [b for b in buckets if length <= b.longest] or buckets[-1:]
        fitting[0].lengths.append(min(length, fitting[0].longest))
    return buckets
