"""What the candidate's interpreter is: asked once without running any installed code, then kept in a cache file."""

import ast
import json
import os
import re
import subprocess

from .bytecode import count_missing

# Runs under any CPython from 2.7 on, with -E -s -S, so that neither .pth code nor sitecustomize of the environment runs
# outside the sandbox. The virtual environment's prefix is read from pyvenv.cfg, as site.py does.
_QUESTION = r"""
import json, os, platform, sys
base = getattr(sys, 'base_prefix', sys.prefix)
prefix = sys.prefix
where = os.path.dirname(os.path.abspath(sys.executable))
system = True
for folder in (where, os.path.dirname(where)):
    config = os.path.join(folder, 'pyvenv.cfg')
    if os.path.isfile(config):
        prefix = os.path.dirname(where)
        system = False
        for line in open(config):
            key, _, value = line.partition('=')
            if key.strip() == 'include-system-site-packages' and value.strip().lower() == 'true':
                system = True
        break
sites = []
try:
    import site
    sys.prefix = sys.exec_prefix = prefix
    site.PREFIXES = [prefix] + ([base] if system and base != prefix else [])
    sites = site.getsitepackages()
except Exception:
    pass
libraries = []
try:
    mapped = set(line.split(None, 5)[5].strip() for line in open('/proc/self/maps') if '.so' in line)
    libraries = sorted(path for path in mapped if os.path.isfile(path))
except Exception:
    pass
print(json.dumps({'libraries': libraries,
    'python': platform.python_version(), 'implementation': platform.python_implementation(),
    'platform': platform.platform(), 'version': list(sys.version_info[:3]), 'prefix': prefix, 'basePrefix': base,
    'path': [entry for entry in sys.path if entry], 'sites': sites,
    'tag': getattr(getattr(sys, 'implementation', None), 'cache_tag', None),
}))
"""
_ASK_SECONDS = 60
_METADATA_LINE = re.compile(r"(Name|Version): *(.+)")
# Package stores whose members lean on each other: one of them needs all.
_STORES = ("/nix/store", "/gnu/store", "/home/linuxbrew/.linuxbrew")
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")


class InterpreterFailed(Exception):
    """The interpreter does not answer."""


def describe(interpreter, cache_directory):
    """Facts about an interpreter: python, platform, version, distributions, and the paths it needs (`paths`).

    The cache entry holds while the interpreter and its site directories keep their stamps. Raises InterpreterFailed."""
    cache = os.path.join(cache_directory, "interpreter-%s.json" % re.sub(r"\W+", "_", interpreter)[-150:])
    known = _read_json(cache)
    if known is not None and known.get("interpreter") == interpreter and known.get("stamps") == _stamps(known["watched"]):
        return known
    facts = _ask(interpreter)
    facts["interpreter"] = interpreter
    facts["distributions"], extra = _scan(facts["sites"])
    facts["paths"] = _needed_paths(interpreter, facts, extra)
    facts["modulesWithoutBytecode"] = count_missing(facts["sites"], facts["tag"])
    facts["watched"] = [interpreter] + facts["sites"] + [os.path.join(facts["prefix"], "pyvenv.cfg")]
    facts["stamps"] = _stamps(facts["watched"])
    _write_json(cache, facts)
    return facts


def _ask(interpreter):
    try:
        answer = subprocess.run(
            [interpreter, "-E", "-s", "-S", "-c", _QUESTION],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=_ASK_SECONDS, cwd="/",
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}, check=True,
        )
        return json.loads(answer.stdout.decode("utf-8", "replace"))
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise InterpreterFailed("%s: %s" % (interpreter, error))


def _stamps(paths):
    stamps = []
    for path in paths:
        try:
            status = os.stat(path)
            stamps.append([status.st_mtime_ns, status.st_size])
        except OSError:
            stamps.append(None)
    return stamps


def _scan(sites):
    """Distributions by their metadata on disk, and directories that .pth files and editable installs point to."""
    found, extra = {}, []
    for site in sites:
        names = sorted(os.listdir(site)) if os.path.isdir(site) else []
        for name in names:
            path = os.path.join(site, name)
            if name.endswith((".dist-info", ".egg-info")):
                _read_distribution(path, found)
            elif name.endswith(".pth"):
                extra += _path_file(site, path)
            elif name.startswith("__editable__") and name.endswith("_finder.py"):
                extra += _finder_mapping(path)
    distributions = [{"name": name, "version": found[name]} for name in sorted(found, key=str.lower)]
    return distributions, extra


def _read_distribution(path, found):
    for candidate in (os.path.join(path, "METADATA"), os.path.join(path, "PKG-INFO"), path):
        if os.path.isfile(candidate):
            fields = {}
            with open(candidate, encoding="utf-8", errors="replace") as handle:
                for line in handle:
                    match = _METADATA_LINE.match(line)
                    if match:
                        fields.setdefault(match.group(1), match.group(2).strip())
                    if not line.strip() or len(fields) == 2:
                        break
            if len(fields) == 2:
                found.setdefault(fields["Name"], fields["Version"])
            return


def _finder_mapping(path):
    """Where the finder of an editable install (setuptools) maps packages to: its literal MAPPING, read without running."""
    try:
        with open(path, encoding="utf-8", errors="replace") as handle:
            tree = ast.parse(handle.read())
    except (OSError, ValueError, SyntaxError, RecursionError):
        return []
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "MAPPING" for target in targets):
            try:
                mapping = ast.literal_eval(node.value)
            except ValueError:
                return []
            return [place for place in mapping.values() if isinstance(place, str) and os.path.isabs(place)]
    return []


def _path_file(site, path):
    """What a .pth file adds; its import lines are not run."""
    try:
        with open(path, encoding="utf-8", errors="replace") as handle:
            lines = [line.strip() for line in handle]
    except OSError:
        return []
    wanted = [line for line in lines if line and not line.startswith(("#", "import ", "import\t"))]
    folders = [os.path.normpath(os.path.join(site, line)) for line in wanted]
    return [part for folder in folders if os.path.isdir(folder) for part in _importable_parts(folder)]


def _importable_parts(folder):
    """A folder of modules as a whole; of somebody's project folder only what can be imported, not its keys and history."""
    names = os.listdir(folder)
    if not any(name in names for name in (".git", ".env", "pyproject.toml", "setup.py", "setup.cfg")):
        return [folder]
    parts = []
    for name in sorted(names):
        path = os.path.join(folder, name)
        package = os.path.isdir(path) and not name.startswith(".") and any(inner.endswith(".py") for inner in os.listdir(path))
        if package or (os.path.isfile(path) and name.endswith((".py", ".so"))):
            parts.append(path)
    return parts


def _needed_paths(interpreter, facts, extra):
    """Host paths that must exist inside: links on the way to them and the real places, parents first."""
    wanted = [interpreter]
    for prefix in (facts["prefix"], facts["basePrefix"]):
        wanted += _prefix_parts(prefix)
    wanted += [path for path in facts["path"] + facts["sites"] + extra if os.path.exists(path) and not _too_wide(path)]
    wanted += [store for store in _STORES if os.path.realpath(interpreter).startswith(store + "/")]
    wanted += facts["libraries"]
    paths = []
    for path in wanted:
        for hop in link_hops(path):
            inside = any(hop == parent or hop.startswith(parent + "/") for parent in _SYSTEM)
            if not inside and hop not in paths:
                paths.append(hop)
    return sorted(paths, key=lambda path: (path.count("/"), path))


def system_paths(interpreter, facts):
    """Paths below the system's own folders, which `_needed_paths` leaves out since the local sandbox binds them whole: links
    on the way to the interpreter, to its import path and to the libraries it has loaded, and the real places."""
    wanted = [interpreter] + [path for path in facts["path"] + facts["sites"] if os.path.exists(path)] + facts["libraries"]
    paths = []
    for path in wanted:
        for hop in link_hops(path):
            if any(hop == parent or hop.startswith(parent + "/") for parent in _SYSTEM) and hop not in paths:
                paths.append(hop)
    return sorted(paths, key=lambda path: (path.count("/"), path))


def _prefix_parts(prefix):
    """The prefix itself, or its parts where the prefix is a place that holds other things too, such as a home."""
    if not _too_wide(prefix):
        return [prefix]
    return [path for path in (os.path.join(prefix, name) for name in ("bin", "lib", "include")) if os.path.isdir(path)]


def _too_wide(path):
    real = os.path.realpath(path)
    if real.count("/") <= 1:
        return True
    return real == os.path.realpath(os.path.expanduser("~")) or os.path.dirname(real) == "/home"


def link_hops(path):
    """Every symbolic link met while resolving `path`, each by its resolved parent, then the real path itself."""
    hops, rest, current, links = [], [part for part in path.split("/") if part], "/", 0
    while rest and links < 40:
        name = rest.pop(0)
        if name in (".", ".."):
            current = os.path.dirname(current) if name == ".." else current
            continue
        step = os.path.join(current, name)
        if os.path.islink(step):
            links += 1
            hops.append(step)
            target = os.readlink(step)
            current = "/" if target.startswith("/") else current
            rest = [part for part in target.split("/") if part] + rest
        else:
            current = step
    return hops + [current]


def _read_json(path):
    try:
        with open(path, encoding="utf-8") as handle:
            return json.load(handle)
    except (OSError, ValueError):
        return None


def _write_json(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    aside = "%s.%d" % (path, os.getpid())
    with open(aside, "w", encoding="utf-8") as handle:
        json.dump(value, handle)
    os.replace(aside, path)
