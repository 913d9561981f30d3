"""The thread that serves the connections of a supervisor, so that signs of life flow whatever the main loop is doing."""

import collections
import os
import select
import selectors
import threading
import time
import traceback

from .line_socket import SocketLost
from .seal import Forged

_TURN_SECONDS = 0.2
# A path that lets small packets pass and loses large ones must not look alive while ranks wait for each other's tensors.
_MORE_THAN_A_PACKET = "." * 9000


class Link:
    """A connection to another supervisor whose lines are sealed from now on."""

    def __init__(self, node, lines, seal):
        self.node = node
        self.lines = lines
        self.seal = seal
        self.heard = time.monotonic()
        self.next_beat = 0.0

    def send(self, message):
        self.lines.send(self.seal.close(message))


class SideThread:
    """Hub and spoke are made from this. `problem` says what broke; it stays None as long as all is well."""

    def __init__(self, timings):
        self.timings = timings
        self.problem = None
        self.selector = selectors.DefaultSelector()
        self._inbox = collections.deque()
        self._outbox = collections.deque()
        self._stopping = False
        self._main_wake = _pipe()
        self._own_wake = _pipe()
        self.selector.register(self._own_wake[0], selectors.EVENT_READ, lambda: _drain(self._own_wake[0]))
        self._thread = threading.Thread(target=self._run, daemon=True)

    # --- the main loop's side

    def start(self):
        self._thread.start()

    def fileno(self):
        return self._main_wake[0]

    def send(self, node, message):
        """Sends a message to a node's supervisor, or to all others where `node` is None."""
        self._outbox.append((node, message))
        _wake(self._own_wake[1])

    def take(self):
        """Messages that came since, as (node, message)."""
        _drain(self._main_wake[0])
        taken = []
        while self._inbox:
            taken.append(self._inbox.popleft())
        return taken

    def pause(self, seconds):
        """Waits until there is something to take, or for so long."""
        select.select([self._main_wake[0]], [], [], seconds)

    def stop(self, seconds):
        """Sends what is left, waits for the others to go, closes."""
        self._stopping = True
        _wake(self._own_wake[1])
        self._thread.join(seconds)

    # --- the thread's side

    def links(self):
        """All sealed connections."""
        raise NotImplementedError

    def turn(self, now):
        """Called a few times a second."""

    def lost(self, link, words):
        """A connection ended."""
        raise NotImplementedError

    def give(self, node, message):
        self._inbox.append((node, message))
        _wake(self._main_wake[1])

    def break_off(self, words):
        """All is over: the main loop is told, and every connection ends."""
        if self.problem is None:
            self.problem = words
        self._stopping = True
        _wake(self._main_wake[1])

    def receive(self, link):
        """Takes what a link has; signs of life are answered here."""
        try:
            for line in link.lines.lines():
                link.heard = time.monotonic()
                self._handle(link, link.seal.open(line))
        except (SocketLost, Forged) as error:
            self.lost(link, str(error))
            return
        if link.lines.ended:
            self.lost(link, "its connection ended")

    def _handle(self, link, message):
        if message["kind"] == "beat":
            link.send({"kind": "beaten", "sent": message["sent"], "received": link.heard, "answered": time.monotonic()})
        elif message["kind"] == "beaten":
            self.beaten(message, link.heard)
        else:
            self.give(link.node, message)

    def beaten(self, message, got):
        """An answer to a sign of life came."""

    def _run(self):
        try:
            while not self._stopping:
                for key, _ in self.selector.select(_TURN_SECONDS):
                    key.data()
                now = time.monotonic()
                self._post()
                self._beat(now)
                self.turn(now)
            self._post()
            self._part()
        except Exception:
            self.break_off(traceback.format_exc())
        finally:
            self.close()

    def _post(self):
        while self._outbox:
            node, message = self._outbox.popleft()
            for link in list(self.links()):
                if node is None or link.node == node:
                    self._try(link, lambda one: one.send(message))

    def _beat(self, now):
        for link in list(self.links()):
            if now >= link.next_beat:
                link.next_beat = now + self.timings["beatSeconds"]
                self._try(link, lambda one: one.send(beat(_MORE_THAN_A_PACKET)))
            else:
                self._try(link, lambda one: one.lines.flush())
            if now - link.heard > self.timings["lostSeconds"]:
                self.lost(link, "it gave no sign of life for %d s" % self.timings["lostSeconds"])

    def _try(self, link, action):
        try:
            action(link)
        except SocketLost as error:
            self.lost(link, str(error))

    def _part(self):
        """Ends connections so that what was sent last arrives."""
        deadline = time.monotonic() + self.timings["beatSeconds"]
        for link in list(self.links()):
            try:
                while not link.lines.flush() and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.part(link, deadline)
            except (SocketLost, OSError):
                pass

    def part(self, link, deadline):
        """Ends one connection."""

    def close(self):
        for link in list(self.links()):
            link.lines.close()


def beat(padding=""):
    """A sign of life, which the other end answers."""
    return {"kind": "beat", "sent": time.monotonic(), "padding": padding}


def _pipe():
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    return ends


def _wake(descriptor):
    try:
        os.write(descriptor, b"x")
    except BlockingIOError:
        pass


def _drain(descriptor):
    try:
        while os.read(descriptor, 4096):
            pass
    except BlockingIOError:
        pass
