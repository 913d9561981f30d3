"""A corpus whose vocabulary grows with its length."""


def words(size):
    return [f"word{number}" for number in range(size)]
