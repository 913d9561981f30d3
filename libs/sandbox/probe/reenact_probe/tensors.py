"""Reading of plain tensors of torch: nothing here runs code of the program."""

_MOST_TENSORS = 16
_DEEPEST = 3
_MOST_DIMENSIONS = 16
_LONGEST_NAME = 200


class TensorReader:
    """Knows torch's own types, from before the program could replace them."""

    def __init__(self, torch):
        self._plain = (torch.Tensor, torch.nn.Parameter)

    def is_plain(self, value):
        """Whether the bytes can be read; fake tensors and other subclasses may do anything when asked."""
        return type(value) in self._plain and not (value.is_sparse or value.is_quantized or value.device.type == "meta")

    def is_readable(self, value):
        """Whether it is plain and holds numbers with a point."""
        return self.is_plain(value) and (value.is_floating_point() or value.is_complex())

    def tensors(self, value, depth=0):
        """Readable tensors in a value, inside plain tuples, lists and mappings too; the first 16 of them."""
        if self.is_readable(value):
            return [value]
        if depth >= _DEEPEST or type(value) not in (tuple, list, dict):
            return []
        items = list(value.values()) if type(value) is dict else value
        return [found for item in items[:_MOST_TENSORS] for found in self.tensors(item, depth + 1)][:_MOST_TENSORS]

    def describe(self, tensor):
        """Shape and dtype as records have them."""
        return {"shape": [int(size) for size in tensor.shape[:_MOST_DIMENSIONS]], "dtype": str(tensor.dtype)}

    def bytes_of(self, tensor):
        """A copy of the bytes of a plain tensor."""
        from ctypes import string_at

        plain = tensor.detach().cpu().contiguous()
        # The bytes of a conjugate that was not made yet are those of the original.
        plain = plain.resolve_conj() if plain.is_complex() and hasattr(plain, "resolve_conj") else plain
        return string_at(plain.data_ptr(), plain.numel() * plain.element_size())


def class_name(module):
    """Module and name of a torch module's class."""
    return ("%s.%s" % (type(module).__module__, type(module).__qualname__))[:_LONGEST_NAME]
