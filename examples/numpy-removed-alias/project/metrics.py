"""Corpus BLEU with add-one smoothing."""
import math
from collections import Counter

import numpy as np


def ngrams(tokens, n):
    return Counter(zip(*(tokens[i:] for i in range(n))))


def precision(hypotheses, references, n):
    hits = total = 0
    for hypothesis, reference in zip(hypotheses, references):
        found = ngrams(hypothesis, n)
        hits += sum((found & ngrams(reference, n)).values())
        total += sum(found.values())
    return (hits + 1) / (total + 1)


def bleu(hypotheses, references, max_n=4):
    precisions = np.array([precision(hypotheses, references, n) for n in range(1, max_n + 1)])
    length, wanted = sum(map(len, hypotheses)), sum(map(len, references))
    brevity = 1.0 if length > wanted else math.exp(1 - wanted / max(length, 1))
    return brevity * np.product(precisions) ** (1 / max_n)
