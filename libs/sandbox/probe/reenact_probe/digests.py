"""SHA-256 without loading `hashlib`, which the program might be missing an import of."""


def sha256_hex(data):
    """Hex digest of bytes or of anything with their interface."""
    try:
        from _sha2 import sha256
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256
    return sha256(data).hexdigest()
