"""Names of torch modules and their parameters, as the outermost module that runs knows them."""

import sys

_MOST = 20000
_LONGEST_NAME = 200


class ModuleNames:
    """Learns the names of a model's parts whenever one of them runs for the first time."""

    def __init__(self, torch):
        self._module_type = torch.nn.Module
        self._modules = {}
        self._parameters = {}

    def learn(self, module):
        """To be called while the module runs, before its names are asked for."""
        if id(module) in self._modules or len(self._modules) >= _MOST:
            return
        outermost = self._outermost(module)
        for name, inner in outermost.named_modules():
            self._modules.setdefault(id(inner), name[:_LONGEST_NAME])
        for name, parameter in outermost.named_parameters():
            self._parameters.setdefault(id(parameter), name[:_LONGEST_NAME])

    def of_module(self, module):
        """The name within the outermost module that was running; empty for that one itself."""
        return self._modules.get(id(module), "")

    def of_parameter(self, parameter):
        """The name within the outermost module that was running; None where that never ran."""
        return self._parameters.get(id(parameter))

    def _outermost(self, module):
        found, frame = module, sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_name in ("_call_impl", "forward"):
                owner = frame.f_locals.get("self")
                found = owner if isinstance(owner, self._module_type) else found
            frame = frame.f_back
        return found
