"""Bag of words in a fixed number of buckets, so that no vocabulary has to be kept."""

BUCKETS = 12


def bucket(word):
    return hash(word) % BUCKETS


def encode(text):
    vector = [0.0] * BUCKETS
    for word in text.split():
        vector[bucket(word)] += 1.0
    return vector
