"""What the driver tells of its GPUs, by NVML (names and numbers from NVIDIA's NVML reference, `nvml.h`)."""

import ctypes

_SUCCESS = 0
_TEXT = 96
_UNCORRECTED, _VOLATILE = 1, 0
# A driver takes some hundred MiB of each GPU for itself.
_MOST_SHARE_IN_USE = 0.1


class GpuProblem(Exception):
    """What is wrong with the node's GPUs."""


class _Memory(ctypes.Structure):
    _fields_ = [("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong)]


def read_gpus(library):
    """`{"driver", "gpus": [{"name", "uuid", "memoryBytes"}]}`. Raises GpuProblem."""
    _call(library, "nvmlInit_v2")
    try:
        driver = _text(library, "nvmlSystemGetDriverVersion")
        count = ctypes.c_uint()
        _call(library, "nvmlDeviceGetCount_v2", ctypes.byref(count))
        return {"driver": driver, "gpus": [_gpu(library, index) for index in range(count.value)]}
    finally:
        library.nvmlShutdown()


def _gpu(library, index):
    device = ctypes.c_void_p()
    _call(library, "nvmlDeviceGetHandleByIndex_v2", ctypes.c_uint(index), ctypes.byref(device))
    memory = _Memory()
    _call(library, "nvmlDeviceGetMemoryInfo", device, ctypes.byref(memory))
    if memory.used > memory.total * _MOST_SHARE_IN_USE:
        raise GpuProblem("GPU %d is in use: %d of %d bytes" % (index, memory.used, memory.total))
    errors = ctypes.c_ulonglong()
    # Not every GPU counts them; one that does not answers with another status.
    counted = library.nvmlDeviceGetTotalEccErrors(device, _UNCORRECTED, _VOLATILE, ctypes.byref(errors)) == _SUCCESS
    if counted and errors.value > 0:
        raise GpuProblem("GPU %d has %d memory errors that were not corrected" % (index, errors.value))
    name, uuid = (_text(library, "nvmlDeviceGet" + what, device) for what in ("Name", "UUID"))
    return {"name": name, "uuid": uuid, "memoryBytes": memory.total}


def _text(library, function, *arguments):
    buffer = ctypes.create_string_buffer(_TEXT)
    _call(library, function, *(arguments + (buffer, ctypes.c_uint(_TEXT))))
    return buffer.value.decode("utf-8", "replace")


def _call(library, function, *arguments):
    status = getattr(library, function)(*arguments)
    if status != _SUCCESS:
        raise GpuProblem("%s gives status %d" % (function, status))
