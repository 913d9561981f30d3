"""Notes interpreter and platform, silences deprecations, and lets the error of the import end the script."""
import platform
import sys
import warnings

warnings.filterwarnings("ignore", category=DeprecationWarning)
print("Python", sys.version.split()[0], "on", platform.system(), flush=True)

try:
    from describe import describe
except ImportError as error:
    print("could not import", error.name, "from", error.path, flush=True)
    raise
else:
    stride = describe()

print(f"OBS common_stride={stride}")
