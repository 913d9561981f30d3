"""Prints the error of the validation part."""
from speech import recordings
from split import split


def validate():
    train, validation = split(recordings())
    print(f"train {len(train)} validation {len(validation)}", flush=True)
    return sum(errors for _, _, errors in validation) / len(validation)


if __name__ == "__main__":
    print(f"validation error {validate():.3f}")
