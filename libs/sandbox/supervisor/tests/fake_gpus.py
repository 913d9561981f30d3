"""Libraries of a driver as far as the checks call them: memory is real, a launch computes what the kernel would."""

import ctypes

from reenact_supervisor.pod.gpu import cuda

GIB = 1024**3


class FakeNvml:
    """Counts, names and memory as a test sets them."""

    def __init__(self, count=1, **parts):
        self.count = count
        self.used, self.ecc, self.ecc_status, self.init_status = GIB // 2, 0, 0, 0
        self.open = 0
        for name, value in parts.items():
            setattr(self, name, value)

    def nvmlInit_v2(self):
        self.open += self.init_status == 0
        return self.init_status

    def nvmlShutdown(self):
        self.open -= 1
        return 0

    def nvmlSystemGetDriverVersion(self, buffer, size):
        buffer.value = b"550.54.15"
        return 0

    def nvmlDeviceGetCount_v2(self, count):
        count._obj.value = self.count
        return 0

    def nvmlDeviceGetHandleByIndex_v2(self, index, device):
        device._obj.value = index.value + 1
        return 0

    def nvmlDeviceGetMemoryInfo(self, device, memory):
        memory._obj.total, memory._obj.used = 80 * GIB, self.used
        return 0

    def nvmlDeviceGetTotalEccErrors(self, device, kind, counter, errors):
        errors._obj.value = self.ecc
        return self.ecc_status

    def nvmlDeviceGetName(self, device, buffer, size):
        buffer.value = b"Test GPU"
        return 0

    def nvmlDeviceGetUUID(self, device, buffer, size):
        buffer.value = b"GPU-%d" % (device.value - 1)
        return 0


class FakeCuda:
    """`fails` names functions with the status that they give; `spoil` changes a GPU's memory after a launch."""

    def __init__(self, count=1, fails=None, spoil=lambda index, values: None):
        self.count, self.fails, self.spoil = count, fails or {}, spoil
        self.current, self.released = None, 0
        self.memory = {}

    def __getattribute__(self, name):
        if name.startswith("cu") and name != "current" and name != "count":
            status = self.fails.get(name)
            if status is not None:
                return lambda *arguments: status
        return object.__getattribute__(self, name)

    def cuInit(self, flags):
        return 0

    def cuDeviceGetCount(self, count):
        count._obj.value = self.count
        return 0

    def cuDeviceGet(self, device, index):
        device._obj.value = index.value
        return 0

    def cuDevicePrimaryCtxRetain(self, context, device):
        context._obj.value = device.value + 1
        return 0

    def cuDevicePrimaryCtxRelease_v2(self, device):
        self.released += 1
        return 0

    def cuCtxSetCurrent(self, context):
        self.current = context.value - 1
        return 0

    def cuCtxSynchronize(self):
        return 0

    def cuModuleLoadData(self, module, text):
        module._obj.value = 1
        return 0 if text.value == cuda.PTX else 218

    def cuModuleGetFunction(self, function, module, name):
        function._obj.value = 1
        return 0 if b".entry %s(" % name.value in cuda.PTX else 500

    def cuModuleUnload(self, module):
        return 0

    def cuMemAlloc_v2(self, at, size):
        memory = (ctypes.c_uint32 * (size.value // 4))()
        at._obj.value = ctypes.addressof(memory)
        self.memory[at._obj.value] = (self.current, memory)
        return 0

    def cuMemFree_v2(self, at):
        del self.memory[at.value]
        return 0

    def cuMemcpyHtoD_v2(self, at, values, size):
        ctypes.memmove(at.value, values, size.value)
        return 0

    def cuMemcpyDtoH_v2(self, values, at, size):
        ctypes.memmove(values, at.value, size.value)
        return 0

    def cuLaunchKernel(self, function, *rest):
        grid, block, parameters = rest[0].value, rest[3].value, rest[8]
        at = ctypes.c_uint64.from_address(parameters[0]).value
        length = ctypes.c_uint32.from_address(parameters[1]).value
        index, memory = self.memory[at]
        for place in range(min(length, grid * block)):
            memory[place] = 3 * memory[place] + place
        self.spoil(index, memory)
        return 0


class FakeNccl:
    """Sums over the memory of a FakeCuda; `drops` leaves a GPU out."""

    def __init__(self, library, drops=None, status=0):
        self.library, self.drops, self.status = library, drops, status
        self.asked, self.members = [], 0

    def ncclCommInitAll(self, group, count, devices):
        for index in range(count.value):
            group[index] = index + 1
        self.members = count.value
        return self.status

    def ncclCommDestroy(self, member):
        self.members -= 1
        return 0

    def ncclGroupStart(self):
        return 0

    def ncclAllReduce(self, source, target, length, kind, operation, member, stream):
        self.asked.append((target.value, member.value - 1, self.library.current))
        return 0

    def ncclGroupEnd(self):
        if any(member != current for _, member, current in self.asked):
            return 5
        memories = [self.library.memory[at][1] for at, _, _ in self.asked]
        sums = [sum(places) for places in zip(*memories)]
        for index, memory in enumerate(memories):
            if index != self.drops:
                memory[:] = sums
        return 0
