import json
import os
import socket
import subprocess
import sys
import threading
import unittest

from reenact_supervisor.pod import network_check
from reenact_supervisor.pod.canary import Canary, proof_of

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _canary_of(*ports):
    targets = [{"host": "127.0.0.1", "port": port} for port in ports]
    return {"instance": "i", "budgetSeconds": 3, "targets": targets}


class Clock:
    def __init__(self):
        self.now = 0.0
        self.at_pause = lambda: None

    def monotonic(self):
        return self.now

    def pause(self, seconds):
        self.now += seconds
        self.at_pause()


class ProveIsolation(unittest.TestCase):
    def _on(self, mode):
        command = ["unshare", "--user", "--map-root-user", "--net", sys.executable, "-m", "tests.network_bed", mode]
        done = subprocess.run(command, cwd=_HERE, stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout.decode())

    def test_takes_silence_and_refusals_of_the_network_for_proof(self):
        for mode in ("drop", "icmp-port", "icmp-prohibited", "no-device"):
            with self.subTest(mode):
                self.assertEqual(self._on(mode), ["network-denied", "canary=i"])

    def test_waits_for_policies_that_come_late(self):
        self.assertEqual(self._on("accept-twice"), ["network-denied", "canary=i"])

    def test_takes_an_answer_of_the_other_side_for_none(self):
        for mode in ("accept", "reset"):
            with self.subTest(mode):
                self.assertIn("10.9.0.2 port 29377 can be reached", self._on(mode))

    def test_gives_up_when_the_budget_is_spent(self):
        clock = Clock()
        with Canary("127.0.0.1", 0) as server:
            with self.assertRaises(network_check.NotIsolated):
                network_check.prove_isolation(_canary_of(server.server_address[1]), lambda: None, clock.monotonic, clock.pause)
        self.assertEqual(clock.now, 3.0)

    def test_needs_all_targets_to_be_out_of_reach(self):
        clock = Clock()
        with Canary("127.0.0.1", 0) as server:
            canary = _canary_of(server.server_address[1])
            canary["targets"].insert(0, {"host": "255.255.255.255", "port": 9})
            with self.assertRaises(network_check.NotIsolated):
                network_check.prove_isolation(canary, lambda: None, clock.monotonic, clock.pause)

    def test_needs_a_target(self):
        with self.assertRaises(network_check.NotIsolated):
            network_check.prove_isolation(_canary_of())

    def test_stops_when_it_is_told_to(self):
        class Stop(Exception):
            pass

        def stop():
            raise Stop

        with Canary("127.0.0.1", 0) as server:
            with self.assertRaises(Stop):
                network_check.prove_isolation(_canary_of(server.server_address[1]), stop)


class TheCanary(unittest.TestCase):
    def setUp(self):
        self.server = Canary("127.0.0.1", 0)
        self.addCleanup(self.server.server_close)
        thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.server.shutdown)

    def _ask(self, question):
        with socket.create_connection(self.server.server_address, 10) as handle:
            handle.sendall(question)
            handle.shutdown(socket.SHUT_WR)
            return handle.makefile("rb").read()

    def test_proves_that_it_met_the_nonce_and_tells_where(self):
        host, port = self.server.server_address
        nonces = ["0" * 31 + str(number) for number in range(3)]
        answers = [json.loads(self._ask(b"reenact-canary 1 %s\n" % nonce.encode()).decode()) for nonce in nonces]
        self.assertEqual([answer["proof"] for answer in answers], [proof_of(nonce) for nonce in nonces])
        self.assertEqual({(answer["canary"], answer["host"], answer["port"]) for answer in answers}, {(1, host, port)})
        self.assertEqual({answer["instance"] for answer in answers}, {self.server.instance})

    def test_says_nothing_to_anything_else(self):
        for question in (b"", b"GET / HTTP/1.1\r\n\r\n", b"reenact-canary 1 xyz\n", b"reenact-canary 1 " + b"0" * 500 + b"\n"):
            try:
                self.assertEqual(self._ask(question), b"")
            except ConnectionResetError:
                pass

    def test_answers_while_others_say_nothing_and_turns_away_too_many(self):
        quiet = [socket.create_connection(self.server.server_address, 10) for _ in range(63)]
        for handle in quiet:
            self.addCleanup(handle.close)
        self.assertIn(b"proof", self._ask(b"reenact-canary 1 " + b"0" * 32 + b"\n"))


if __name__ == "__main__":
    unittest.main()
