"""All checks of GPUs, in the order in which a fault would show."""

import ctypes

from . import cuda, nccl, nvml


def check_gpus(count, prefix, load=ctypes.CDLL):
    """`{"facts": […]}`, or `{"problem": "…"}`. `prefix` is the environment under test, whose NCCL is taken where it has one."""
    try:
        return {"facts": _facts(count, prefix, load)}
    except nvml.GpuProblem as error:
        return {"problem": str(error)}
    except OSError as error:
        return {"problem": "the driver’s library is not there: %s" % error}


def _facts(count, prefix, load):
    told = nvml.read_gpus(load("libnvidia-ml.so.1"))
    if len(told["gpus"]) != count:
        raise nvml.GpuProblem("the driver tells of %d GPUs, and %d were asked for" % (len(told["gpus"]), count))
    facts = ["gpu=%s (%s, %d bytes)" % (gpu["name"], gpu["uuid"], gpu["memoryBytes"]) for gpu in told["gpus"]]
    facts.append("gpu-driver=%s" % told["driver"])
    devices = cuda.Devices(load("libcuda.so.1"), count)
    try:
        for index in range(count):
            cuda.run_kernel(devices, index)
        facts.append("gpu-check=passed")
        facts.append("nccl-check=%s" % _sum(devices, count, prefix, load))
        return facts
    finally:
        devices.close()


def _sum(devices, count, prefix, load):
    if count == 1:
        return "skipped: one GPU asked for"
    library = nccl.find_library(prefix, load)
    if library is None:
        return "skipped: no %s in the image" % nccl.NAME
    nccl.sum_over_all(library, devices)
    return "passed"
