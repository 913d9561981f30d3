import json
import random
import unittest

from reenact_supervisor.observations import parse_observation


class ObservationTest(unittest.TestCase):
    def check(self, line, expected):
        self.assertEqual(parse_observation(line), expected)

    def test_numbers_keep_full_precision(self):
        self.check("OBS a=0.1 b=1e-300 c=-3 d=0.30000000000000004", {"a": 0.1, "b": 1e-300, "c": -3, "d": 0.30000000000000004})

    def test_what_json_lacks_stays_text(self):
        self.check("OBS a=nan b=-inf c=1e999 d=9007199254740993", {"a": "nan", "b": "-inf", "c": "inf", "d": "9007199254740993"})

    def test_literals(self):
        self.check("OBS on=True off=False none=None", {"on": True, "off": False, "none": None})
        self.check("OBS xs=[1, 2.5, nan, 'a b'] t=(1,)", {"xs": [1, 2.5, "nan", "a b"], "t": [1]})
        self.check("OBS d={'k': [1], 2: None}", {"d": {"k": [1], "2": None}})
        self.check("OBS s='it\\'s' t=\"two words\"", {"s": "it's", "t": "two words"})

    def test_bare_words_run_to_the_next_space(self):
        self.check("OBS path=/a/b=c dtype=torch.float32", {"path": "/a/b=c", "dtype": "torch.float32"})

    def test_malformed_literals_fall_back_to_the_word(self):
        self.check("OBS a=[1,2 b=3", {"a": "[1,2", "b": 3})
        self.check("OBS a=[1]x", {"a": "[1]x"})
        self.check("OBS a='open", {"a": "'open"})

    def test_arrays_without_commas(self):
        self.check("OBS a=[0.5 0.25]", {"a": [0.5, 0.25]})

    def test_rank_and_step_are_values_too(self):
        self.check("OBS rank=1 step=20 loss=0.5", {"rank": 1, "step": 20, "loss": 0.5})

    def test_other_lines_are_none(self):
        for line in ("", "OBS", "OBS ", "OBSERVE a=1", "  OBS a=1", "loss OBS a=1", "OBS nothing here"):
            self.check(line, None)

    def test_depth_is_bounded(self):
        deep = "[" * 5000 + "]" * 5000
        self.check("OBS a=" + deep, {"a": deep})

    def test_any_text_gives_json_or_none(self):
        source = random.Random(7)
        alphabet = "OBS abc=[](){}'\",:.0123456789eE+-_\\ nanTrue\t\u00e9"
        for _ in range(3000):
            text = "OBS " + "".join(source.choice(alphabet) for _ in range(source.randrange(60)))
            json.dumps(parse_observation(text), allow_nan=False)


if __name__ == "__main__":
    unittest.main()
