"""Word error counts of a few speakers."""

SPEAKERS = ["ada", "tim"]


def recordings(per_speaker=5):
    return [(name, i, (i * 7 + len(name)) % 5) for name in SPEAKERS for i in range(per_speaker)]
