"""Words and their ids."""
LINES = ["the cat sat on the mat", "a dog lay under that table", "no bird sang before dawn", "every fish swam past our boat"]


def vocabulary():
    words = list({word for line in LINES for word in line.split()})
    return {word: number for number, word in enumerate(words)}
