"""Scores of a classifier."""


def accuracy(guesses, labels, batch):
    correct = 0
    for start in range(0, len(labels), batch):
        pairs = zip(guesses[start : start + batch], labels[start : start + batch])
        correct += sum(guess == label for guess, label in pairs)
    return correct / (len(labels) // batch)
