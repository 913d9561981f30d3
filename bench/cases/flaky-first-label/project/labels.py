"""Labels and their ids."""


def label_ids(rows):
    return {label: number for number, label in enumerate({label for _, label in rows if label})}
