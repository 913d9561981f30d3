"""The grammar of observation lines: `OBS` and one or more `name=value` pairs.

A value is a bracketed or quoted literal, else it runs to the next space. Numbers keep full precision; what JSON cannot
hold (nan, inf, integers beyond 2**53) stays text.
"""

import re

_PREFIX = "OBS "
_NAME = re.compile(r"[A-Za-z_][\w.]*=", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)
_BARE = re.compile(r"[^\s,\[\](){}:]+")
_WORDS = {"True": True, "False": False, "None": None, "true": True, "false": False, "null": None}
_NOT_FINITE = {"nan": "nan", "inf": "inf", "+inf": "inf", "infinity": "inf", "-inf": "-inf", "-infinity": "-inf"}
_CLOSE = {"[": "]", "(": ")", "{": "}"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "/": "/"}
_MAX_DEPTH = 32
_EXACT_INTEGER = 2**53


class _Malformed(Exception):
    pass


def parse_observation(line):
    """Returns {name: value} of an OBS line, or None when the line is none or holds no pair."""
    if not line.startswith(_PREFIX):
        return None
    values, position = {}, len(_PREFIX)
    while position < len(line):
        if line[position] in " \t":
            position += 1
            continue
        match = _NAME.match(line, position)
        if match is None:
            position = _next_space(line, position)
            continue
        value, position = _value(line, match.end())
        values[match.group()[:-1]] = value
    return values or None


def _next_space(line, position):
    while position < len(line) and not line[position].isspace():
        position += 1
    return position


def _value(line, position):
    if position < len(line) and line[position] in "[({\"'":
        try:
            value, end = _literal(line, position, 0)
            if end == len(line) or line[end].isspace():
                return value, end
        except _Malformed:
            pass
    end = _next_space(line, position)
    return scalar(line[position:end]), end


def scalar(text):
    """A bare word as number, truth value, None or text."""
    if text in _WORDS:
        return _WORDS[text]
    if text.lower() in _NOT_FINITE:
        return _NOT_FINITE[text.lower()]
    if _NUMBER.match(text):
        return _number(text)
    return text


def _number(text):
    if text.lstrip("+-").isdigit():
        if len(text) > 17 or abs(int(text)) > _EXACT_INTEGER:
            return text
        return int(text)
    value = float(text)
    return value if value - value == 0 else ("-inf" if value < 0 else "inf")


def _literal(text, position, depth):
    if depth > _MAX_DEPTH:
        raise _Malformed()
    position = _skip(text, position)
    character = text[position : position + 1]
    if character in ("'", '"'):
        return _string(text, position)
    if character == "{":
        return _mapping(text, position, depth)
    if character in ("[", "("):
        return _sequence(text, position, depth)
    match = _BARE.match(text, position)
    if match is None:
        raise _Malformed()
    return scalar(match.group()), match.end()


def _skip(text, position):
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _string(text, position):
    quote, parts, position = text[position], [], position + 1
    while position < len(text):
        character = text[position]
        if character == quote:
            return "".join(parts), position + 1
        if character == "\\" and position + 1 < len(text):
            escaped = text[position + 1]
            parts.append(_ESCAPES.get(escaped, "\\" + escaped))
            position += 2
            continue
        parts.append(character)
        position += 1
    raise _Malformed()


def _sequence(text, position, depth):
    close, items, position = _CLOSE[text[position]], [], _skip(text, position + 1)
    while text[position : position + 1] != close:
        item, position = _literal(text, position, depth + 1)
        items.append(item)
        position = _separator(text, position, close)
    return items, position + 1


def _mapping(text, position, depth):
    items, position = {}, _skip(text, position + 1)
    while text[position : position + 1] != "}":
        key, position = _literal(text, position, depth + 1)
        position = _skip(text, position)
        if text[position : position + 1] != ":":
            raise _Malformed()
        value, position = _literal(text, position + 1, depth + 1)
        items[key if isinstance(key, str) else str(key)] = value
        position = _separator(text, position, "}")
    return items, position + 1


def _separator(text, position, close):
    """After an item: a comma or the closing bracket; NumPy's arrays, which have only spaces, count too."""
    position = _skip(text, position)
    if position >= len(text):
        raise _Malformed()
    return _skip(text, position + 1) if text[position] == "," else position
