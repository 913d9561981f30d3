import json
import socket
import time
import unittest

from reenact_supervisor.pod.side import hub as hub_module
from reenact_supervisor.pod.side.clock import ClockOffset
from reenact_supervisor.pod.side.hub import Hub
from reenact_supervisor.pod.side.seal import DOWN, UP, Forged, Seal, connection_key
from reenact_supervisor.pod.side.spoke import Spoke

NONCE = "5a" * 32
TIMINGS = {"beatSeconds": 0.2, "lostSeconds": 5}


def free_port():
    with socket.socket() as handle:
        handle.bind(("127.0.0.1", 0))
        return handle.getsockname()[1]


def wait_for(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


class SealTest(unittest.TestCase):
    def setUp(self):
        key = connection_key(NONCE, 1, ("c1", "c2"))
        self.spoke, self.hub = Seal(key, 1, UP), Seal(key, 1, DOWN)

    def line(self, message):
        return self.spoke.close(message)[:-1]

    def test_messages_arrive_as_they_were_sent_in_both_directions(self):
        for number in range(3):
            self.assertEqual(self.hub.open(self.line({"n": number, "t": "ä\n\udcff"})), {"n": number, "t": "ä\n\udcff"})
            self.assertEqual(self.spoke.open(self.hub.close({"down": number})[:-1]), {"down": number})

    def test_a_line_twice_one_too_early_or_one_sent_back_is_forged(self):
        first, second = self.line({"n": 0}), self.line({"n": 1})
        self.assertRaises(Forged, self.hub.open, second)
        self.hub.open(first)
        self.assertRaises(Forged, self.hub.open, first)
        self.assertRaises(Forged, self.spoke.open, second)

    def test_no_byte_of_a_line_can_be_another(self):
        line = self.line({"kind": "arrive", "place": "step 1"})
        for position in range(len(line)):
            changed = bytearray(line)
            changed[position] ^= 1
            try:
                other = json.loads(bytes(changed).decode("ascii"))
            except ValueError:
                other = None
            if other != json.loads(line):
                self.assertRaises(Forged, self.hub.open, bytes(changed))

    def test_lines_of_another_connection_execution_or_node_are_forged(self):
        for nonce, node, challenges in ((NONCE, 1, ("c1", "c3")), ("00" * 32, 1, ("c1", "c2")), (NONCE, 2, ("c1", "c2"))):
            stranger = Seal(connection_key(nonce, node, challenges), node, UP)
            self.assertRaises(Forged, self.hub.open, stranger.close({"n": 0})[:-1])

    def test_what_is_no_line_is_forged(self):
        for line in (b"", b"\xff", b"null", b"[]", b"[0]", b"{}", b"[" * 100000, b'[0,"up",1,{},"x"]', b'[0,"up",1,"{}",5]'):
            self.assertRaises(Forged, self.hub.open, line)


class ClockTest(unittest.TestCase):
    def test_the_answer_with_the_shortest_way_counts_and_bounds_the_error(self):
        clock = ClockOffset()
        clock.add(10.0, 110.5, 110.6, 11.1)
        clock.add(20.0, 120.004, 120.104, 20.106)
        clock.add(30.0, 130.9, 130.9, 31.0)
        self.assertAlmostEqual(clock.fix(), 100.001)
        self.assertAlmostEqual(clock.error_seconds(), 0.003)

    def test_clocks_that_go_apart_later_make_the_error_larger(self):
        clock = ClockOffset()
        clock.add(10.0, 110.001, 110.001, 10.002)
        clock.fix()
        clock.add(500.0, 600.031, 600.031, 500.002)
        self.assertAlmostEqual(clock.error_seconds(), 0.031)


class ConnectionTest(unittest.TestCase):
    def setUp(self):
        self.port = free_port()
        self.threads = []
        self.sockets = []
        self.hub = self.keep(Hub(self.port, 3, NONCE, TIMINGS))
        self.hub.start()

    def keep(self, thread):
        self.threads.append(thread)
        return thread

    def tearDown(self):
        for handle in self.sockets:
            handle.close()
        for thread in self.threads:
            thread.stop(5)

    def spoke(self, node, nonce=NONCE):
        spoke = self.keep(Spoke("127.0.0.1", self.port, node, nonce, TIMINGS))
        spoke.join({"payload": "p"})
        spoke.start()
        return spoke

    def connect(self):
        handle = socket.create_connection(("127.0.0.1", self.port), 5)
        handle.settimeout(10)
        self.sockets.append(handle)
        return handle

    def heard(self, side, count):
        """The next messages of a side."""
        messages = []
        self.assertTrue(wait_for(lambda: messages.extend(side.take()) or len(messages) >= count), messages)
        return messages

    def test_nodes_join_and_talk_and_know_the_clock(self):
        one, two = self.spoke(1), self.spoke(2)
        joined = self.heard(self.hub, 2)
        self.assertEqual(sorted(joined, key=str), [(1, {"kind": "join", "payload": "p"}), (2, {"kind": "join", "payload": "p"})])
        self.hub.send(None, {"kind": "passed"})
        self.hub.send(2, {"kind": "only"})
        one.send(0, {"kind": "arrive"})
        self.assertEqual(self.heard(self.hub, 1), [(1, {"kind": "arrive"})])
        self.assertEqual([message["kind"] for _, message in self.heard(two, 2)], ["passed", "only"])
        self.assertTrue(wait_for(one.is_clock_known))
        self.assertLess(abs(one.clock.fix()), 0.05)

    def test_strangers_are_dropped_and_keep_nobody_out(self):
        for _ in range(300):
            self.connect()
        for text in (b"x" * 100000, b"\n\n\n", b'{"node":1,"challenge":"0"}\n[0,"up",1,"{}","00"]\n', b'{"node":9,"challenge":"0"}\n'):
            handle = self.connect()
            try:
                handle.sendall(text)
            except OSError:
                pass
        self.spoke(1, nonce="00" * 32)
        self.spoke(2)
        self.assertEqual(self.heard(self.hub, 1), [(2, {"kind": "join", "payload": "p"})])
        self.assertLessEqual(len(self.hub._unknown), hub_module._MOST_UNKNOWN)
        self.assertIsNone(self.hub.problem)

    def test_a_node_is_there_once(self):
        self.spoke(1)
        self.heard(self.hub, 1)
        self.spoke(1)
        time.sleep(1)
        self.assertEqual(self.hub.take(), [])

    def test_a_node_that_goes_before_all_are_there_may_come_again(self):
        first = self.spoke(1)
        self.heard(self.hub, 1)
        first.stop(5)
        self.assertEqual(self.heard(self.hub, 1), [(1, {"kind": "left"})])
        self.spoke(1)
        self.assertEqual(self.heard(self.hub, 1)[0][1]["kind"], "join")

    def test_one_that_goes_later_breaks_it_off_for_all(self):
        one, two = self.spoke(1), self.spoke(2)
        self.heard(self.hub, 2)
        for side in (self.hub, one, two):
            side.complete()
        one.stop(5)
        self.assertTrue(wait_for(lambda: self.hub.problem is not None and two.problem is not None))
        self.assertIn("node 1 is lost", self.hub.problem)
        self.assertIn("node 0 is lost", two.problem)

    def test_after_the_start_nobody_is_listened_to(self):
        self.spoke(1)
        self.spoke(2)
        self.heard(self.hub, 2)
        self.hub.complete()
        self.assertTrue(wait_for(lambda: not self.hub._listening))
        handle = self.connect()
        handle.settimeout(0.5)
        self.assertRaises(OSError, handle.recv, 1)
        self.assertRaises(OSError, socket.create_server, ("0.0.0.0", self.port))


if __name__ == "__main__":
    unittest.main()
