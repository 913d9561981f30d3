"""Next-word model: one softmax over the vocabulary for each previous word."""
import numpy as np


class Bigram:
    def __init__(self, texts, seed=0):
        self.words = ["<s>"] + sorted({word for text in texts for word in text})
        self.index = {word: i for i, word in enumerate(self.words)}
        self.weights = np.random.default_rng(seed).normal(0, 0.01, (len(self.words), len(self.words)))

    def probabilities(self, previous):
        scores = np.exp(self.weights[previous] - self.weights[previous].max(1, keepdims=True))
        return scores / scores.sum(1, keepdims=True)

    def step(self, previous, following, rate):
        p = self.probabilities(previous)
        loss = -np.log(p[np.arange(len(following)), following]).mean()
        p[np.arange(len(following)), following] -= 1
        np.subtract.at(self.weights, previous, rate * p)
        return loss

    def greedy(self, length):
        text, word = [], 0
        for _ in range(length):
            word = int(self.weights[word].argmax())
            text.append(self.words[word])
        return text
