"""Early stopping."""


class EarlyStop:
    def __init__(self, patience):
        self.patience, self.best, self.best_epoch = patience, float("inf"), 0

    def update(self, epoch, loss):
        """True when the loss has not improved for `patience` epochs."""
        if loss < self.best:
            self.best, self.best_epoch = loss, epoch
        return epoch - self.best_epoch >= self.patience
