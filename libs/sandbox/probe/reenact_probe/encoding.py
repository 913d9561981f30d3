"""JSON text of a record. The ``json`` module would cost several milliseconds and load ``re`` into every program."""

try:
    from _json import encode_basestring_ascii as _quote
except ImportError:  # An interpreter without the C encoder.

    def _quote(text):
        units = text.encode("utf-16-be", "surrogatepass")
        pairs = zip(units[::2], units[1::2])
        return '"' + "".join("\\u%02x%02x" % pair for pair in pairs) + '"'


def encode(value):
    """JSON for None, bool, int, finite float, str, list, tuple and dict with text keys; anything else as its repr."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([encode(item) for item in value]) + "]"
    if isinstance(value, dict):
        return "{" + ",".join([_quote(key) + ":" + encode(item) for key, item in value.items()]) + "}"
    return _quote(repr(value))
