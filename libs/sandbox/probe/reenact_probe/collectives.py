"""Each process's calls of torch.distributed, in order, in trials that ask for them.

No function is wrapped: a wrapper would stand in every traceback. All of them ask first whether this rank is in the group,
by one function of their module; asked, the probe looks at who asks. What C++ starts by itself (the buckets of
DistributedDataParallel, functional collectives) is not seen.
"""

import sys

from reenact_probe import recorder
from reenact_probe.guard import disguise, guarded
from reenact_probe.imports import after_import
from reenact_probe.places import place_of

_MODULE = "torch.distributed.distributed_c10d"
#: Later calls are left out, with a notice: they cannot be compared then.
_MOST_CALLS = 5000
_MOST_MEMBERS = 64
_MOST_DIMENSIONS = 16
_LONGEST_NAME = 64
#: Function → its argument whose shape and dtype must be the same on all ranks; None where they may differ.
_COLLECTIVES = {
    "all_gather": "tensor", "all_gather_coalesced": None, "all_gather_into_tensor": "input_tensor", "all_gather_object": None,
    "all_reduce": "tensor", "all_reduce_coalesced": None, "all_to_all": None, "all_to_all_single": None, "barrier": None,
    "broadcast": "tensor", "broadcast_object_list": None, "gather": "tensor", "gather_object": None, "monitored_barrier": None,
    "reduce": "tensor", "reduce_scatter": "output", "reduce_scatter_tensor": "output", "scatter": "tensor",
    "scatter_object_list": None,
}
_PEERS = {
    "send": "dst", "isend": "dst", "send_object_list": "dst", "recv": "src", "irecv": "src", "recv_object_list": "src",
}
_REDUCTIONS = ("SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR", "PREMUL_SUM")
_LEAVES_THE_QUESTION = (("send", "isend"), ("recv", "irecv"))


class _Watch:
    """What the module was when it was loaded, and how many calls each group has seen."""

    def __init__(self, module):
        self._module = module
        self._file = module.__file__
        self._folder = self._file.rpartition("/")[0] + "/"
        self._numbers = {}
        self._left = _MOST_CALLS

    def look(self, group):
        """Record the call that asks; calls inside another function of the module belong to that one."""
        asking = self._calling(sys._getframe(3))
        if asking is None or self._left < 0:
            return
        self._left -= 1
        if self._left < 0:
            recorder.notice("collectives-cut", "more than %d calls of torch.distributed" % _MOST_CALLS)
            return
        name, given = asking.f_code.co_name, asking.f_locals
        about = self._group(group)
        kind = "collective" if name in _COLLECTIVES else "point-to-point"
        key = (about["group"], kind)
        self._numbers[key] = self._numbers.get(key, 0) + 1
        about.update(op=name, number=self._numbers[key], pointToPoint=name in _PEERS)
        about.update(_tensor(given.get(_COLLECTIVES.get(name) or "tensor"), name), **_root(given, name))
        about.update(self._reduction(given.get("op")))
        at = self._user_frame(asking)
        if at is not None:
            about["at"] = at
        recorder.write("collective", about)

    def _calling(self, asking):
        """The frame of the user's call: what other functions of the package ask for themselves belongs to that one."""
        if not self._is_call(asking):
            return None
        frame, outermost = asking, asking
        while frame is not None and frame.f_code.co_filename.startswith(self._folder):
            outermost = frame if self._is_call(frame) else outermost
            frame = frame.f_back
        # `send` and `recv` leave the question to their asynchronous forms in newer versions.
        names = (outermost.f_code.co_name, asking.f_code.co_name)
        return outermost if outermost is asking or names in _LEAVES_THE_QUESTION else None

    def _is_call(self, frame):
        code = frame.f_code
        return code.co_filename == self._file and (code.co_name in _COLLECTIVES or code.co_name in _PEERS)

    def _group(self, group):
        module = self._module
        world = module.GroupMember.WORLD
        is_world = group is None or group is world
        members = sorted(module._pg_group_ranks[world if is_world else group])
        name = "world" if is_world else str(module._pg_names[group])[:_LONGEST_NAME]
        return {"group": name, "size": len(members), "members": [int(rank) for rank in members[:_MOST_MEMBERS]]}

    def _reduction(self, given):
        """How values are reduced; the text of such an object holds an address in some versions."""
        if given is None:
            return {}
        kinds = self._module.ReduceOp
        return next(({"reduction": name} for name in _REDUCTIONS if given == getattr(kinds, name, _PEERS)), {})

    def _user_frame(self, frame):
        """The innermost frame of subject or script above the call."""
        while frame is not None:
            code = frame.f_code
            place, name, _ = place_of(code.co_filename)
            if place in ("subject", "script"):
                return {"file": name, "line": frame.f_lineno, "function": code.co_name, "place": place}
            frame = frame.f_back
        return None


def _tensor(value, op):
    if _COLLECTIVES.get(op, "") is None or not hasattr(value, "dtype") or not hasattr(value, "shape"):
        return {}
    return {"shape": [int(size) for size in value.shape[:_MOST_DIMENSIONS]], "dtype": str(value.dtype)[:_LONGEST_NAME]}


def _root(given, op):
    """The rank that gives or takes, where the call has one."""
    known = {}
    names = (_PEERS[op],) if op in _PEERS else ("src", "dst")
    for name in names:
        if isinstance(given.get(name), int):
            known["peer" if op in _PEERS else "root"] = given[name]
    return known


def _begin(module):
    original = module._rank_not_in_group
    look = guarded(_Watch(module).look)

    def _rank_not_in_group(group):
        look(group)
        return original(group)

    module._rank_not_in_group = disguise(_rank_not_in_group, original)


def install():
    """Watch torch.distributed from when the program loads it."""
    after_import(_MODULE, _begin)
