"""Frames of a traceback as the evidence schema wants them."""

import sys

from reenact_probe.places import place_of

#: Frames kept of one traceback: half from its outer, half from its inner end.
_MOST_FRAMES = 60
_LONGEST_CODE = 1000
_BIGGEST_SOURCE = 4 * 1024 * 1024
#: Kept from before the program could replace it; a counting stand-in must not see the probe's calls.
_open = open


def frames_of(traceback, sources, most=_MOST_FRAMES):
    """At most `most` frames of a traceback, outermost first, without the probe's own.

    `sources` caches source lines over one record.
    """
    raw = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        raw.append((code.co_filename, traceback.tb_lineno, code.co_name))
        if len(raw) > 4 * _MOST_FRAMES:
            # Deep recursion: the middle goes first, the order stays.
            del raw[_MOST_FRAMES : 2 * _MOST_FRAMES]
        traceback = traceback.tb_next
    kept = [entry for entry in raw if place_of(entry[0])[0] is not None]
    if len(kept) > most:
        kept = kept[: most // 2] + kept[-(most // 2) :]
    return [frame(filename, line, function, sources) for filename, line, function in kept]


def frame(filename, line, function, sources):
    """One frame; `function` may be None, and the code line is left out where the source cannot be read."""
    place, name, _ = place_of(filename)
    result = {"file": name, "place": place or "other"}
    if line is not None:
        result["line"] = line
    if function is not None:
        result["function"] = function
    code = _code_line(filename, line, sources)
    if code:
        result["code"] = code
    return result


def _code_line(filename, line, sources):
    if line is None or line < 1:
        return None
    if filename not in sources:
        sources[filename] = _lines(filename)
    lines = sources[filename]
    if line > len(lines):
        return None
    text = lines[line - 1]
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    return text.strip()[:_LONGEST_CODE]


def _lines(filename):
    """Lines of a file; of generated code only what the program itself registered with linecache."""
    path = place_of(filename)[2]
    if path is not None:
        try:
            with _open(path, "rb") as source:
                return source.read(_BIGGEST_SOURCE).splitlines()
        except (OSError, ValueError):
            pass
    linecache = sys.modules.get("linecache")
    entry = getattr(linecache, "cache", {}).get(filename)
    return entry[2] if isinstance(entry, tuple) and len(entry) == 4 else []
