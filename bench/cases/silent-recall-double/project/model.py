"""Items next to those that a user knows, merged from several neighbours."""


def recommend(known, neighbours, count):
    ranked = []
    for item in known:
        ranked.extend(neighbours[item])
    return ranked[:count]
