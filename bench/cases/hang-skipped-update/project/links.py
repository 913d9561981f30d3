"""Two processes that average their gradients over a pipe."""


def exchange(link, gradient):
    """Sends the own gradient and returns the mean of both."""
    link.send(gradient)
    other = link.recv()
    return [(a + b) / 2 for a, b in zip(gradient, other)]
