import json
import unittest

from reenact_supervisor import launch
from reenact_supervisor.peers import Alone
from reenact_supervisor.request import RequestInvalid, Step, _inside

PLACES = launch.Places(
    {
        "subject": "/s", "script": "/c", "probe": "/p", "probe-out": "/o",
        "tools": "/t", "home": "/h", "tmp": "/tmp", "bytecode": None,
    }
)


def argv(words, version=(3, 12, 1)):
    return launch.argv_of(Step({"argv": words}), "/py/bin/python", version, PLACES)


class ArgvTest(unittest.TestCase):
    def test_a_candidate_runs_with_safe_path(self):
        self.assertEqual(argv(["python", "@script/a.py", "-x"]), ["/py/bin/python", "-P", "/c/a.py", "-x"])
        self.assertEqual(argv(["python", "-X", "dev", "@script/a.py"]), ["/py/bin/python", "-P", "-X", "dev", "/c/a.py"])

    def test_older_interpreters_take_the_runner(self):
        words = argv(["python", "-u", "@script/a.py", "x"], (3, 10, 2))
        self.assertEqual(words, ["/py/bin/python", "-u", "/t/safe_run.py", "/c/a.py", "x"])

    def test_the_projects_own_entry_runs_as_its_authors_run_it(self):
        self.assertEqual(argv(["python", "train.py"]), ["/py/bin/python", "train.py"])
        self.assertEqual(argv(["python", "-m", "pkg.train", "@script/a.json"]), ["/py/bin/python", "-m", "pkg.train", "/c/a.json"])
        self.assertEqual(argv(["torchrun", "@script/a.py"]), ["torchrun", "/c/a.py"])

    def test_script_words_do_not_leave_the_script_folder(self):
        self.assertEqual(argv(["cat", "@script/../x"]), ["cat", "@script/../x"])


class Nodes:
    def __init__(self, node, *hosts):
        self.node, self.hosts = node, hosts


class RankTest(unittest.TestCase):
    def variables(self, rank, world, nodes):
        place = launch.RankPlace(rank, world, nodes, 29500)
        return dict(launch.rank_environment(place), **launch.framework_environment(place))

    def test_nodes_take_the_ranks_in_order(self):
        for world, hosts in ((2, "ab"), (4, "ab"), (6, "abc"), (3, "a")):
            ranks = [rank for node in range(len(hosts)) for rank in launch.ranks_of(world, Nodes(node, *hosts))]
            self.assertEqual(ranks, list(range(world)))
            for node in range(len(hosts)):
                for local, rank in enumerate(launch.ranks_of(world, Nodes(node, *hosts))):
                    told = self.variables(rank, world, Nodes(node, *hosts))
                    self.assertEqual((told["GROUP_RANK"], told["LOCAL_RANK"], told["RANK"]), (str(node), str(local), str(rank)))

    def test_one_machine_has_all_ranks(self):
        told = self.variables(1, 2, Alone())
        self.assertEqual((told["LOCAL_RANK"], told["LOCAL_WORLD_SIZE"], told["MASTER_ADDR"]), ("1", "2", "127.0.0.1"))

    def test_every_worker_has_an_address_of_its_own(self):
        told = json.loads(self.variables(2, 4, Nodes(1, "a", "b"))["TF_CONFIG"])
        self.assertEqual(told["cluster"]["worker"], ["a:30500", "a:30501", "b:30500", "b:30501"])
        self.assertEqual(told["task"], {"type": "worker", "index": 2})


class RequestTest(unittest.TestCase):
    def test_import_roots_stay_inside(self):
        self.assertEqual([_inside(root) for root in ("", ".", "src", "a/../b")], [".", ".", "src", "b"])
        for root in ("..", "../x", "/etc", "a/../../b"):
            self.assertRaises(RequestInvalid, _inside, root)


if __name__ == "__main__":
    unittest.main()
