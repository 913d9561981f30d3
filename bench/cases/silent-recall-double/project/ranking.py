"""Recall of a recommender."""


def recall_at(ranked, relevant, k):
    """Share of the relevant items among the first k."""
    hits = sum(item in relevant for item in ranked[:k])
    return hits / len(relevant)
