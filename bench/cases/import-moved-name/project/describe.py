"""Prints the geometry of the network."""
from strides import common_stride, receptive_field

BRANCHES = [[(3, 2), (3, 2)], [(5, 3)], [(7, 4)]]


def describe():
    total = []
    for layers in BRANCHES:
        stride = 1
        for _, s in layers:
            stride *= s
        total.append(stride)
        print(f"branch stride {stride} field {receptive_field(layers)}", flush=True)
    return common_stride(total)


if __name__ == "__main__":
    print(f"common stride {describe()}")
