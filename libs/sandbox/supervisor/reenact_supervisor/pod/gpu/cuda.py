"""A tiny kernel on each GPU through the CUDA driver interface: memory, copy there, launch, copy back, compare.

Names and signatures from NVIDIA's CUDA driver reference (`cuda.h`), the kernel in PTX, which each driver translates for
its own GPU.
"""

import ctypes

from .nvml import GpuProblem

_SUCCESS = 0
_LENGTH = 4096
_THREADS = 256
_FUNCTION = b"reenact_check"
_FACTOR = 3

# Element i becomes 3 × itself + i.
PTX = b"""
.version 6.3
.target sm_50
.address_size 64
.visible .entry reenact_check(.param .u64 at, .param .u32 length)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [at];
  ld.param.u32 %r1, [length];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %r5, 4;
  add.u64 %rd2, %rd2, %rd3;
  ld.global.u32 %r6, [%rd2];
  mad.lo.u32 %r7, %r6, 3, %r5;
  st.global.u32 [%rd2], %r7;
DONE:
  ret;
}
"""


class Devices:
    """The GPUs of this process, each with its primary context; released by `close`."""

    def __init__(self, library, count):
        self._library = library
        self.contexts = []
        self._devices = []
        self.call("cuInit", ctypes.c_uint(0))
        found = ctypes.c_int()
        self.call("cuDeviceGetCount", ctypes.byref(found))
        if found.value != count:
            raise GpuProblem("CUDA finds %d GPUs, and %d were asked for" % (found.value, count))
        for index in range(count):
            device, context = ctypes.c_int(), ctypes.c_void_p()
            self.call("cuDeviceGet", ctypes.byref(device), ctypes.c_int(index))
            self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
            self._devices.append(device)
            self.contexts.append(context)

    def call(self, function, *arguments):
        """Calls the driver. Raises GpuProblem with the function and its status."""
        status = getattr(self._library, function)(*arguments)
        if status != _SUCCESS:
            raise GpuProblem("%s gives error %d" % (function, status))

    def use(self, index):
        self.call("cuCtxSetCurrent", self.contexts[index])

    def upload(self, values):
        """Memory of the current GPU with these 32-bit numbers in it."""
        at = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(ctypes.sizeof(values)))
        self.call("cuMemcpyHtoD_v2", at, values, ctypes.c_size_t(ctypes.sizeof(values)))
        return at

    def download(self, at, length):
        values = (ctypes.c_uint32 * length)()
        self.call("cuCtxSynchronize")
        self.call("cuMemcpyDtoH_v2", values, at, ctypes.c_size_t(ctypes.sizeof(values)))
        self.call("cuMemFree_v2", at)
        return values

    def close(self):
        for device in self._devices:
            self._library.cuDevicePrimaryCtxRelease_v2(device)


def run_kernel(devices, index):
    """Runs the kernel on one GPU. Raises GpuProblem, also where the result is wrong."""
    devices.use(index)
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    devices.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(PTX))
    devices.call("cuModuleGetFunction", ctypes.byref(function), module, ctypes.c_char_p(_FUNCTION))
    values = (ctypes.c_uint32 * _LENGTH)(*range(7, 7 + _LENGTH))
    at, length = devices.upload(values), ctypes.c_uint32(_LENGTH)
    parameters = (ctypes.c_void_p * 2)(*(ctypes.addressof(one) for one in (at, length)))
    sizes = [ctypes.c_uint(size) for size in (_LENGTH // _THREADS, 1, 1, _THREADS, 1, 1, 0)]
    devices.call("cuLaunchKernel", function, *(sizes + [None, parameters, None]))
    result = devices.download(at, _LENGTH)
    wrong = sum(1 for place in range(_LENGTH) if result[place] != _FACTOR * values[place] + place)
    if wrong:
        raise GpuProblem("GPU %d computes %d of %d numbers wrong" % (index, wrong, _LENGTH))
    devices.call("cuModuleUnload", module)
