"""Packs a wheel with nothing but the standard library, for machines without setuptools: `python setup.py bdist_wheel`."""
import os
import re
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PATTERN = re.compile(r'^__version__ = "([^"]+)"', re.MULTILINE)


def version(package):
    with open(os.path.join(HERE, package, "__init__.py")) as handle:
        found = PATTERN.search(handle.read())
    if found is None:
        raise RuntimeError(f"cannot find __version__ in {package}/__init__.py")
    return found.group(1)


def bdist_wheel(package, target="dist"):
    name = f"{package}-{version(package)}"
    os.makedirs(target, exist_ok=True)
    wheel = os.path.join(target, f"{name}-py3-none-any.whl")
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(os.path.join(HERE, package, "__init__.py"), f"{package}/__init__.py")
        archive.writestr(f"{name}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: {version(package)}\n")
    return wheel


if __name__ == "__main__":
    if sys.argv[1:2] != ["bdist_wheel"]:
        sys.exit("usage: setup.py bdist_wheel")
    print("built", bdist_wheel("tokenbox"))
