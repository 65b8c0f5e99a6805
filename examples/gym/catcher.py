"""Two players of catcher.asm, on eight machines: one that chooses at random, one that follows the falling sprite.

    python3 examples/gym/catcher.py [COMMAND ...]

COMMAND starts frontpanel; it is `npx frontpanel` unless told.
"""

import pathlib
import sys

import numpy as np

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "python"))
from frontpanel_gym import VectorEnv, start_server  # noqa: E402

STEPS = 100
SPRITES = {"address": 0xD000, "length": 4}
PLAYERS = [[{"joystick": []}, {"joystick": ["left"]}, {"joystick": ["right"]}]]


def at_random(rng, sprites):
    return rng.integers(0, 3, len(sprites))


def follow(_, sprites):
    paddle, target = sprites[:, 0].astype(int), sprites[:, 2].astype(int)
    return np.where(target < paddle - 3, 1, np.where(target > paddle + 3, 2, 0))


def play(path, player):
    spec = {
        "kind": "c64",
        "options": {"roms": "own"},
        "from_": {"source": (here / "catcher.asm").read_text(), "frames": 10},
        "count": 8,
        "threads": 2,
        "players": PLAYERS,
        "observe": {"memory": [SPRITES]},
        "reward": "bcd($02, 2)",
        "end": "[$04] >= 5",
        "seed": 1,
        "idle": 30,
    }
    rng = np.random.default_rng(1)
    with VectorEnv(path, **spec) as env:
        sprites, _ = env.reset(seed=1)
        total, episodes = 0.0, 0
        for _ in range(STEPS):
            sprites, rewards, terminated, truncated, _ = env.step(player(rng, sprites))
            total += float(rewards.sum())
            episodes += int((terminated | truncated).sum())
    return total, episodes


if __name__ == "__main__":
    with start_server(tuple(sys.argv[1:]) or ("npx", "frontpanel")) as server:
        for player in (at_random, follow):
            total, episodes = play(server.path, player)
            print(f"{player.__name__}: {total:.0f} caught in 8 x {STEPS} steps, {episodes} games lost")
