"""Receptive field and common stride of parallel convolution branches."""
from fractions import gcd


def common_stride(strides):
    result = 1
    for stride in strides:
        result = result * stride // gcd(result, stride)
    return result


def receptive_field(layers):
    """Layers are (kernel, stride) pairs, the input side first."""
    field, jump = 1, 1
    for kernel, stride in layers:
        field += (kernel - 1) * jump
        jump *= stride
    return field
