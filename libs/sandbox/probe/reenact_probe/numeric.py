"""The first NaN and the first infinity that a torch module puts out or gets a gradient for, in diagnostic trials only.

Nothing is loaded here: the hooks are set when the program itself loads torch. Gradients are seen by hooks on nodes of the
graph, as backward hooks of modules would change it. Such a trial is never judged: it explains, and another one proves.
"""

import sys

from reenact_probe import recorder
from reenact_probe.guard import guarded
from reenact_probe.imports import after_import
from reenact_probe.modules_of_torch import ModuleNames
from reenact_probe.places import place_of
from reenact_probe.tensors import TensorReader, class_name

_MOST_MODULES = 20000
#: Later calls are not looked at, so that a long training ends in its time.
_MOST_CHECKS = 200000


class _Watch:
    """One torch module's functions, kept from before the program could replace them, and what was seen so far."""

    def __init__(self, torch):
        self._torch = torch
        self._names = ModuleNames(torch)
        self._reader = TensorReader(torch)
        self._functions = (torch.isfinite, torch.isnan)
        self._tracing = torch.jit.is_tracing
        self._calls = {}
        self._checks = 0
        self._seen = set()
        self._handle = None

    def begin(self):
        self._handle = self._torch.nn.modules.module.register_module_forward_hook(self._on_forward)

    def _on_forward(self, module, inputs, output):
        guarded(self._look)(module, inputs, output)

    def _is_over(self):
        return self._checks > _MOST_CHECKS or any(what == "nan" for _, what in self._seen)

    def _look(self, module, inputs, output):
        if self._is_over():
            self._handle.remove()
            return
        if self._tracing():
            return
        self._names.learn(module)
        name, call = self._names.of_module(module), self._count(module)
        about = {"module": name, "class": class_name(module), "call": call, "place": _place_of_class(module)}
        for tensor in self._reader.tensors(output):
            what = self._what(tensor)
            if what is not None:
                # An in-place module has overwritten its inputs: they say nothing then.
                given = [item for item in self._reader.tensors(inputs) if item.data_ptr() != tensor.data_ptr()]
                parameters = [item for item in module.parameters(recurse=False) if self._reader.is_readable(item)]
                known = {"parametersFinite": all(self._what(item) is None for item in parameters)}
                if given:
                    known["inputsFinite"] = all(self._what(item) is None for item in given)
                self._tell("forward", what, tensor, dict(about, **known))
            # On the node, not on the tensor: a module that works in place moves a tensor's hooks to another node (torch 1).
            if tensor.grad_fn is not None:
                tensor.grad_fn.register_hook(self._gradient_hook(tensor.output_nr, about))

    def _gradient_hook(self, position, about):
        def on_gradients(_, gradients):
            guarded(self._look_at_gradient)(gradients[position], about)

        return on_gradients

    def _look_at_gradient(self, gradient, about):
        if self._is_over() or not self._reader.is_readable(gradient):
            return
        what = self._what(gradient)
        if what is not None:
            self._tell("backward", what, gradient, about)

    def _tell(self, direction, what, tensor, about):
        if (direction, what) in self._seen:
            return
        self._seen.add((direction, what))
        recorder.write("numeric", dict(about, direction=direction, what=what, **self._reader.describe(tensor)))

    def _what(self, tensor):
        """`nan` where there is one, else `inf`, else None."""
        self._checks += 1
        is_finite, is_nan = self._functions
        values = tensor.detach()
        if bool(is_finite(values).all()):
            return None
        return "nan" if bool(is_nan(values).any()) else "inf"

    def _count(self, module):
        if len(self._calls) < _MOST_MODULES or id(module) in self._calls:
            self._calls[id(module)] = self._calls.get(id(module), 0) + 1
        return self._calls.get(id(module), 1)


def _place_of_class(module):
    filename = getattr(sys.modules.get(type(module).__module__), "__file__", None)
    return (place_of(filename)[0] or "other") if isinstance(filename, str) else "other"


def _begin(torch):
    _Watch(torch).begin()


def install():
    """Watch the modules of torch from when the program loads it (torch 1.8 and newer)."""
    after_import("torch", _begin)
