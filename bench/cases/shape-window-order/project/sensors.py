import math


def sensors(steps, channels):
    return [[math.sin(t / (c + 2)) for c in range(channels)] for t in range(steps)]
