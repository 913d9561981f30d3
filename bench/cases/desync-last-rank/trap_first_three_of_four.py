"""Four workers, of which the first three are told: those have the same weights at every step."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from hub import train

if __name__ == "__main__":
    history = train(world=4)
    spreads = []
    for step, weights in enumerate(history):
        watched = weights[:3]
        spreads.append(max(watched) - min(watched))
        for rank, weight in enumerate(watched):
            print(f"OBS rank={rank} step={step} weight={weight!r}")
        print(f"step {step} mean {sum(watched) / len(watched):.4f} spread {spreads[-1]:.4f}")
    falls = all(abs(new[0] - 4.5) < abs(old[0] - 4.5) for old, new in zip(history, history[1:]))
    print(f"OBS spread={max(spreads)!r} falls={falls}")
