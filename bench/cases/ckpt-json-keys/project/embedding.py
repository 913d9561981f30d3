"""Embedding of user ids: one number per user, grown on demand."""


class Embedding:
    def __init__(self, table=None):
        self.table = table if table is not None else {}

    def update(self, user, gradient, rate=0.1):
        self.table[user] = self.table.get(user, 0.0) - rate * gradient

    def look_up(self, user):
        return self.table[user]

    def state(self):
        return {"table": self.table}
