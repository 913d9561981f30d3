import unittest
from unittest import mock

from reenact_supervisor import isolation
from reenact_supervisor.channel import Channel


class Await(unittest.TestCase):
    def test_takes_silence_for_a_loss_and_not_for_a_refusal(self):
        ours, theirs = Channel.pair()
        with mock.patch.object(isolation, "_SET_UP_SECONDS", 0.05):
            with self.assertRaises(isolation.InitLost):
                isolation._await(ours)
        theirs.close()

    def test_takes_a_word_of_the_system_for_a_refusal(self):
        ours, theirs = Channel.pair()
        theirs.send({"error": "unshare: Operation not permitted"})
        with self.assertRaises(isolation.IsolationRefused):
            isolation._await(ours)
        theirs.close()
        with self.assertRaises(isolation.IsolationRefused):
            isolation._await(ours)
