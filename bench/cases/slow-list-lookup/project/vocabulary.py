"""Tokens and their ids."""


class Vocabulary:
    def __init__(self, tokens):
        self.tokens = list(tokens)

    def encode(self, text):
        return [self.tokens.index(token) for token in text]
