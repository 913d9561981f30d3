"""A sum over all GPUs of this pod by NCCL (names and numbers from NVIDIA's NCCL reference, `nccl.h`)."""

import ctypes
import glob
import os

from .nvml import GpuProblem

_SUCCESS = 0
_UINT32, _SUM = 3, 0
_LENGTH = 1024
NAME = "libnccl.so.2"


def find_library(prefix, load=ctypes.CDLL):
    """NCCL as the system or the environment below `prefix` has it; None where neither does."""
    inside = glob.glob(os.path.join(glob.escape(prefix), "lib", "python3*", "site-packages", "nvidia", "nccl", "lib", NAME))
    for path in inside + [NAME]:
        try:
            return load(path)
        except OSError:
            continue
    return None


def sum_over_all(library, devices):
    """GPU i holds the number i + 1 in every place; afterwards each must hold the sum. Raises GpuProblem."""
    count = len(devices.contexts)
    group = (ctypes.c_void_p * count)()
    _call(library, "ncclCommInitAll", group, ctypes.c_int(count), (ctypes.c_int * count)(*range(count)))
    try:
        places = []
        for index in range(count):
            devices.use(index)
            places.append(devices.upload((ctypes.c_uint32 * _LENGTH)(*[index + 1] * _LENGTH)))
        _call(library, "ncclGroupStart")
        for index in range(count):
            devices.use(index)
            at = ctypes.c_void_p(places[index].value)
            kinds = (ctypes.c_size_t(_LENGTH), ctypes.c_int(_UINT32), ctypes.c_int(_SUM))
            _call(library, "ncclAllReduce", at, at, *(kinds + (ctypes.c_void_p(group[index]), None)))
        _call(library, "ncclGroupEnd")
        for index in range(count):
            devices.use(index)
            if set(devices.download(places[index], _LENGTH)) != {count * (count + 1) // 2}:
                raise GpuProblem("GPU %d has another sum than all GPUs make" % index)
    finally:
        for member in group:
            library.ncclCommDestroy(ctypes.c_void_p(member))


def _call(library, function, *arguments):
    status = getattr(library, function)(*arguments)
    if status != _SUCCESS:
        raise GpuProblem("%s gives status %d" % (function, status))
