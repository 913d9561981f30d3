"""Splits recordings by speaker, so that no speaker is in both parts."""


def is_validation(speaker):
    return hash(speaker) % 5 == 0


def split(recordings):
    train = [r for r in recordings if not is_validation(r[0])]
    validation = [r for r in recordings if is_validation(r[0])]
    return train, validation
