"""The private copy of the subject: made with hashes in one pass, and watched for changes to files that were there.

Paths of the copy belong to hostile code while it runs, so every look goes through directory descriptors and never
follows a link.
"""

import hashlib
import os
import stat

_CHUNK = 1024 * 1024
_FOLLOW_NOT = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_DIRECTORY = _FOLLOW_NOT | os.O_DIRECTORY
# Rewriting one of these with its own content has no honest reason; it is how edit-and-restore looks from outside.
_CODE = (".py", ".pyi", ".pyx", ".so", ".c", ".cc", ".cpp", ".cu", ".h", ".sh")


class _File:
    __slots__ = ("digest", "stamp", "current", "size")

    def __init__(self, digest, stamp):
        self.digest = digest
        self.stamp = stamp
        self.current = digest
        self.size = 0


class SubjectCopy:
    """`owner` is the (uid, gid) that the copy is given, or None to leave it."""

    def __init__(self, source, target, owner):
        self.root = target
        self._files = {}
        self._touched = set()
        self.bytes = 0
        self._copy(source, target, owner)
        for path, entry in self._files.items():
            status = os.lstat(os.path.join(target, path))
            entry.stamp, entry.size = _stamp(status), status.st_size

    def __len__(self):
        return len(self._files)

    def _copy(self, source, target, owner):
        os.makedirs(target, exist_ok=True)
        pending = [""]
        while pending:
            relative = pending.pop()
            with os.scandir(os.path.join(source, relative)) as entries:
                for entry in sorted(entries, key=lambda item: item.name):
                    path = os.path.join(relative, entry.name)
                    if entry.is_dir(follow_symlinks=False):
                        os.mkdir(os.path.join(target, path))
                        pending.append(path)
                    else:
                        self._copy_entry(entry, path, os.path.join(target, path))
                    if owner is not None and os.path.lexists(os.path.join(target, path)):
                        os.lchown(os.path.join(target, path), *owner)
        if owner is not None:
            os.lchown(target, *owner)

    def _copy_entry(self, entry, path, target):
        if entry.is_symlink():
            link = os.readlink(entry.path)
            os.symlink(link, target)
            self._note(path, _link_digest(link))
        elif entry.is_file(follow_symlinks=False):
            self._note(path, self._copy_file(entry, target))

    def _copy_file(self, entry, target):
        digest = hashlib.sha256()
        status = entry.stat(follow_symlinks=False)
        with open(entry.path, "rb") as reader, open(target, "xb") as writer:
            for chunk in iter(lambda: reader.read(_CHUNK), b""):
                digest.update(chunk)
                writer.write(chunk)
        os.chmod(target, stat.S_IMODE(status.st_mode) & 0o777 | stat.S_IRUSR | stat.S_IWUSR)
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.bytes += status.st_size
        return digest.hexdigest()

    def _note(self, path, digest):
        if "__pycache__" not in path.split(os.sep):
            self._files[path] = _File(digest, None)

    def check(self, read_all=False):
        """Looks at every file again; returns (tree hash, sorted changed paths). Unchanged stamps spare the reading.

        While the trial runs, another size is enough to call a file changed: reading what grows could take for ever."""
        by_directory = {}
        for path in self._files:
            by_directory.setdefault(os.path.dirname(path), []).append(path)
        for directory, paths in by_directory.items():
            descriptor = open_directory(self.root, directory)
            try:
                for path in paths:
                    self._check_file(descriptor, path, read_all)
            finally:
                if descriptor is not None:
                    os.close(descriptor)
        changed = [path for path, entry in self._files.items() if entry.current != entry.digest or path in self._touched]
        return self.tree_hash(), sorted(changed)

    def _check_file(self, directory, path, read_all):
        entry = self._files[path]
        status = None
        if directory is not None:
            try:
                status = os.stat(os.path.basename(path), dir_fd=directory, follow_symlinks=False)
            except OSError:
                pass
        stamp = None if status is None else _stamp(status)
        if stamp == entry.stamp and not (read_all and entry.current == "resized"):
            return
        entry.stamp = stamp
        if status is None:
            entry.current = "gone"
        elif not read_all and stat.S_ISREG(status.st_mode) and status.st_size != entry.size:
            entry.current = "resized"
        else:
            entry.current = _digest_of(directory, os.path.basename(path), status)
        if entry.current != entry.digest or path.endswith(_CODE):
            self._touched.add(path)

    def origin_of(self, path, digest):
        """`new`, `changed` or `same` beside what the copy held before the trial; `changed` where nobody can tell."""
        before = self._files.get(path)
        return "new" if before is None else "same" if before.digest == digest else "changed"

    def tree_hash(self):
        """SHA-256 over the sorted (path, digest) lines of the files that were there before."""
        digest = hashlib.sha256()
        for path in sorted(self._files):
            digest.update(os.fsencode(path) + b"\0" + self._files[path].current.encode() + b"\n")
        return "sha256:" + digest.hexdigest()


def _stamp(status):
    """Changes with every write, chmod, rename or replacement; ctime cannot be set by unprivileged code."""
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_mode)


def _link_digest(target):
    return "link:" + hashlib.sha256(os.fsencode(target)).hexdigest()


def _digest_of(directory, name, status):
    try:
        if stat.S_ISLNK(status.st_mode):
            return _link_digest(os.readlink(name, dir_fd=directory))
        if not stat.S_ISREG(status.st_mode):
            return "other"
        digest = hashlib.sha256()
        descriptor = os.open(name, _FOLLOW_NOT, dir_fd=directory)
        with open(descriptor, "rb") as handle:
            for chunk in iter(lambda: handle.read(_CHUNK), b""):
                digest.update(chunk)
        return digest.hexdigest()
    except OSError:
        return "unreadable"


def open_directory(root, relative):
    """Descriptor of a directory below `root`, reached without following a link; None where there is none."""
    descriptor = os.open(root, _DIRECTORY)
    for name in [part for part in relative.split(os.sep) if part]:
        try:
            below = os.open(name, _DIRECTORY, dir_fd=descriptor)
        except OSError:
            return None
        finally:
            os.close(descriptor)
        descriptor = below
    return descriptor
