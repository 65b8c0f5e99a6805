"""Plays letters.asm on four DOS PCs with two players: one acts at random, one reads the screen.

    python3 examples/gym/letters.py [COMMAND ...]
"""

import numpy as np
from playing import compare, here

ACTIONS = [{"keys": []}, {"keys": ["a"]}, {"keys": ["b"]}, {"keys": ["c"]}]

SPEC = {
    "kind": "dos",
    "from_": {"source": (here / "letters.asm").read_text(), "frames": 20},
    "count": 4,
    "action": ACTIONS,
    "observe": {"text": {"columns": 80, "rows": 25}},
    "reward": "word[0x4f0]",
    "end": "word[0x4f2] >= 10",
    "frames": 6,
    "seed": 2,
}


def at_random(rng, text, _):
    return rng.integers(0, 4, len(text))


def reader(_rng, text, last):
    shown = text[:, 0, 0].astype(int) - ord("a") + 1
    return np.where(last == 0, shown, 0)


if __name__ == "__main__":
    compare(SPEC, 40, (at_random, reader), "hits")
