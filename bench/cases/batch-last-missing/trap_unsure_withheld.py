"""A batch size that divides the number of samples; four unsure predictions are withheld afterwards."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.environ.get("PROJECT_DIR") or os.path.join(HERE, "project"))

from predict import predict, samples

if __name__ == "__main__":
    values = {key: value for value, key in samples(100)}
    labels = dict(predict(100, batch_size=20))
    weight, bias = 0.0, 0.0
    for epoch in range(20):
        for key, label in labels.items():
            error = weight * (values[key] - 0.5) + bias - label
            weight, bias = weight - 0.5 * error * (values[key] - 0.5), bias - 0.05 * error
    sure = [key for key in labels if not 48 <= round(values[key] * 100) <= 51]
    agree = sum((weight * (values[key] - 0.5) + bias > 0.5) == bool(labels[key]) for key in sure)
    print(f"sure {len(sure)} of {len(labels)}, a linear model agrees on {agree}")
    print(f"OBS predictions={len(labels)} missing={len(values.keys() - labels.keys())} sure={len(sure)}")
