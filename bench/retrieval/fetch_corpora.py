#!/usr/bin/env python3
"""Fetch the pinned packages of corpora.json and unpack their Python files.

    python3 bench/retrieval/fetch_corpora.py --into DIR [--set main] [--set large]

Each package becomes DIR/trees/NAME-VERSION with its *.py files. A package that is there already is left alone; an
archive whose SHA-256 differs from the pinned one is refused. Nothing of a package is run: only wheels are taken, and
links, absolute paths and paths with `..` are never written. JSON lines on standard output tell what happened.
"""

import argparse
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

HERE = Path(__file__).resolve().parent
# Larger files are data, not code.
MOST_BYTES = 4 * 1024 * 1024


def tell(**record):
    print(json.dumps(record), flush=True)


def sha256_of(path):
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else hashlib.sha256(handle.read()).hexdigest()


def download(package, folder):
    """The archive of a package, below `folder`; its hash is checked in any case."""
    cached = folder / package["archive"]
    if cached.is_file() and sha256_of(cached) == package["sha256"]:
        return cached
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        if package["source"] == "debian":
            command = ["apt-get", "download", f"{package['name']}={package['version']}"]
        else:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
            # The interpreter that runs this script need not be one that the package is for.
            command += ["--python-version", package.get("python", "3.13"), "--dest", "."]
            command += [f"{package['name']}=={package['version']}"]
        done = subprocess.run(command, cwd=scratch, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        found = sorted(Path(scratch).iterdir())
        if done.returncode != 0 or len(found) != 1:
            raise RuntimeError((done.stderr.strip().splitlines() or ["nothing was downloaded"])[-1])
        if sha256_of(found[0]) != package["sha256"]:
            raise RuntimeError(f"{found[0].name} is not the archive that is pinned in corpora.json")
        os.replace(found[0], cached)
    return cached


def python_files(archive, package):
    """Pairs of path and bytes."""
    if package["source"] == "debian":
        data = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(archive)], check=True, stdin=subprocess.DEVNULL, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            for member in tar:
                if member.isreg() and member.name.endswith(".py") and member.size <= MOST_BYTES:
                    yield member.name.removeprefix("./usr/lib/python3/dist-packages/"), tar.extractfile(member).read()
        return
    with zipfile.ZipFile(archive) as wheel:
        for member in wheel.infolist():
            if member.filename.endswith(".py") and member.file_size <= MOST_BYTES:
                yield member.filename, wheel.read(member)


def is_safe(name):
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name and "\0" not in name


def unpack(archive, package, target):
    aside = target.with_name(f"{target.name}.part")
    shutil.rmtree(aside, ignore_errors=True)
    files = 0
    for name, content in python_files(archive, package):
        if not is_safe(name):
            continue
        place = aside / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        files += 1
    if files == 0:
        raise RuntimeError(f"{archive.name} holds no Python file")
    os.replace(aside, target)
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--set", dest="sets", action="append", choices=["main", "large"])
    options = parser.parse_args()
    archives, trees = options.into / "archives", options.into / "trees"
    archives.mkdir(parents=True, exist_ok=True)
    trees.mkdir(parents=True, exist_ok=True)
    failed = 0
    for package in json.loads((HERE / "corpora.json").read_text())["packages"]:
        if package["set"] not in (options.sets or ["main", "large"]):
            continue
        target = trees / f"{package['name']}-{package['version']}"
        if target.is_dir():
            continue
        try:
            files = unpack(download(package, archives), package, target)
            tell(package=target.name, files=files)
        except (OSError, RuntimeError, subprocess.SubprocessError, zipfile.BadZipFile, tarfile.TarError) as error:
            failed += 1
            tell(package=target.name, error=str(error))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
