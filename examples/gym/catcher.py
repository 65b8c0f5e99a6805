"""Plays catcher.asm on eight machines with two players: one acts at random, one follows the falling sprite.

    python3 examples/gym/catcher.py [COMMAND ...]

COMMAND starts frontpanel; the default is `npx frontpanel`.
"""

import numpy as np
from playing import compare, here

SPRITES = {"address": 0xD000, "length": 4}
ACTIONS = [{"joystick": []}, {"joystick": ["left"]}, {"joystick": ["right"]}]

SPEC = {
    "kind": "c64",
    "options": {"roms": "own"},
    "from_": {"source": (here / "catcher.asm").read_text(), "frames": 10},
    "count": 8,
    "threads": 2,
    "action": ACTIONS,
    "observe": {"memory": [SPRITES]},
    "reward": "bcd($02, 2)",
    "end": "[$04] >= 5",
    "seed": 1,
    "idle": 30,
}


def at_random(rng, sprites, _):
    return rng.integers(0, 3, len(sprites))


def follow(_rng, sprites, _):
    paddle, target = sprites[:, 0].astype(int), sprites[:, 2].astype(int)
    return np.where(target < paddle - 3, 1, np.where(target > paddle + 3, 2, 0))


if __name__ == "__main__":
    compare(SPEC, 100, (at_random, follow), "caught")
