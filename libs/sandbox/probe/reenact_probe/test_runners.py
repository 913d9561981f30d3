"""What makes a test fail: pytest and unittest catch it and print it in ways of their own."""

from reenact_probe.exceptions import record
from reenact_probe.guard import disguise, guarded
from reenact_probe.imports import after_import

_record = guarded(record)
#: What `pytest.skip` and `pytest.exit` raise; both claim to be builtins.
_NO_FAILURES = ("Skipped", "Exit")


def _watch_pytest(runner):
    """After every phase of a test: the exception that ended it, unless it is pytest's own word for skip or exit."""
    original = runner.CallInfo.__dict__["from_call"].__func__

    def from_call(cls, *arguments, **named):
        call = original(cls, *arguments, **named)
        error = getattr(call.excinfo, "value", None)
        if error is not None and type(error).__name__ not in _NO_FAILURES:
            _record(error, error.__traceback__, "reported")
        return call

    runner.CallInfo.from_call = classmethod(disguise(from_call, original))


def _watch_unittest(result):
    """The one function through which unittest turns errors and failures into text."""
    original = result.TestResult._exc_info_to_string

    def _exc_info_to_string(self, err, test):
        _record(err[1], err[2], "reported")
        return original(self, err, test)

    result.TestResult._exc_info_to_string = disguise(_exc_info_to_string, original)


def install():
    """Watch both runners, where a program loads them."""
    after_import("_pytest.runner", _watch_pytest)
    after_import("unittest.result", _watch_unittest)
