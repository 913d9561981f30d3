import os
import tempfile
import unittest

from reenact_supervisor.pod.gpu import nccl
from reenact_supervisor.pod.gpu.check import check_gpus

from .fake_gpus import GIB, FakeCuda, FakeNccl, FakeNvml


def _check(count, **libraries):
    def load(path):
        for name, library in libraries.items():
            if name in path:
                return library
        raise OSError("no %s" % path)

    return check_gpus(count, "/nowhere", load)


class CheckGpus(unittest.TestCase):
    def test_tells_what_is_there_and_that_it_computes(self):
        nvml, cuda = FakeNvml(), FakeCuda()
        self.assertEqual(
            _check(1, nvidia=nvml, cuda=cuda),
            {
                "facts": [
                    "gpu=Test GPU (GPU-0, %d bytes)" % (80 * GIB),
                    "gpu-driver=550.54.15",
                    "gpu-check=passed",
                    "nccl-check=skipped: one GPU asked for",
                ]
            },
        )
        self.assertEqual((nvml.open, cuda.released, cuda.memory), (0, 1, {}))

    def test_sums_over_several(self):
        cuda = FakeCuda(4)
        library = FakeNccl(cuda)
        found = _check(4, nvidia=FakeNvml(4), cuda=cuda, nccl=library)
        self.assertEqual(found["facts"][-2:], ["gpu-check=passed", "nccl-check=passed"])
        self.assertEqual((library.members, cuda.released, cuda.memory), (0, 4, {}))

    def test_says_that_there_is_no_nccl(self):
        found = _check(2, nvidia=FakeNvml(2), cuda=FakeCuda(2))
        self.assertEqual(found["facts"][-1], "nccl-check=skipped: no libnccl.so.2 in the image")

    def test_names_what_is_wrong(self):
        def spoil(index, values):
            values[5] += index

        cases = [
            (2, dict(nvidia=FakeNvml(1), cuda=FakeCuda(2)), "the driver tells of 1 GPUs, and 2 were asked for"),
            (2, dict(nvidia=FakeNvml(2), cuda=FakeCuda(1)), "CUDA finds 1 GPUs, and 2 were asked for"),
            (1, dict(nvidia=FakeNvml(init_status=9), cuda=FakeCuda()), "nvmlInit_v2 gives status 9"),
            (1, dict(nvidia=FakeNvml(used=30 * GIB), cuda=FakeCuda()), "GPU 0 is in use"),
            (1, dict(nvidia=FakeNvml(ecc=2), cuda=FakeCuda()), "GPU 0 has 2 memory errors"),
            (1, dict(nvidia=FakeNvml(), cuda=FakeCuda(fails={"cuInit": 802})), "cuInit gives error 802"),
            (1, dict(nvidia=FakeNvml(), cuda=FakeCuda(fails={"cuModuleLoadData": 222})), "cuModuleLoadData gives error 222"),
            (1, dict(nvidia=FakeNvml(), cuda=FakeCuda(fails={"cuCtxSynchronize": 719})), "cuCtxSynchronize gives error 719"),
            (2, dict(nvidia=FakeNvml(2), cuda=FakeCuda(2, spoil=spoil)), "GPU 1 computes 1 of 4096 numbers wrong"),
            (1, dict(cuda=FakeCuda()), "no libnvidia-ml.so.1"),
            (1, dict(nvidia=FakeNvml()), "no libcuda.so.1"),
        ]
        for count, libraries, words in cases:
            with self.subTest(words):
                self.assertIn(words, _check(count, **libraries)["problem"])

    def test_names_what_is_wrong_between_gpus(self):
        cuda = FakeCuda(3)
        found = _check(3, nvidia=FakeNvml(3), cuda=cuda, nccl=FakeNccl(cuda, drops=2))
        self.assertEqual(found, {"problem": "GPU 2 has another sum than all GPUs make"})
        cuda = FakeCuda(3)
        found = _check(3, nvidia=FakeNvml(3), cuda=cuda, nccl=FakeNccl(cuda, status=2))
        self.assertEqual(found, {"problem": "ncclCommInitAll gives status 2"})

    def test_takes_a_gpu_that_counts_no_errors(self):
        self.assertIn("facts", _check(1, nvidia=FakeNvml(ecc_status=3, ecc=7), cuda=FakeCuda()))

    def test_finds_the_library_of_the_environment_before_that_of_the_system(self):
        with tempfile.TemporaryDirectory() as prefix:
            inside = os.path.join(prefix, "lib", "python3.11", "site-packages", "nvidia", "nccl", "lib")
            os.makedirs(inside)
            open(os.path.join(inside, nccl.NAME), "w").close()
            self.assertEqual(nccl.find_library(prefix, lambda path: path), os.path.join(inside, nccl.NAME))
        self.assertEqual(nccl.find_library("/nowhere", lambda path: path), nccl.NAME)


if __name__ == "__main__":
    unittest.main()
