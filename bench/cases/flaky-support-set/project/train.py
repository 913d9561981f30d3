"""Learns from eight animals and tests on the rest."""
from birds import birds
from episode import loss, prototypes, split

SHOTS = 8


def run(rows, shots=SHOTS):
    support, query = split(rows, shots)
    print(f"support {len(support)} query {len(query)}", flush=True)
    return loss(query, prototypes(support))


if __name__ == "__main__":
    print(f"query loss {run(birds()):.3f}")
