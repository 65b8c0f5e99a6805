"""Two players of letters.asm, on four DOS PCs: one that chooses at random, one that reads the screen.

    python3 examples/gym/letters.py [COMMAND ...]
"""

import pathlib
import sys

import numpy as np

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "python"))
from frontpanel_gym import VectorEnv, start_server  # noqa: E402

STEPS = 40
PLAYERS = [[{"keys": []}, {"keys": ["a"]}, {"keys": ["b"]}, {"keys": ["c"]}]]


def at_random(rng, text, last):
    return rng.integers(0, 4, len(text))


def reader(_, text, last):
    shown = text[:, 0, 0].astype(int) - ord("a") + 1
    return np.where(last == 0, shown, 0)


def play(path, player):
    spec = {
        "kind": "dos",
        "from_": {"source": (here / "letters.asm").read_text(), "frames": 20},
        "count": 4,
        "players": PLAYERS,
        "observe": {"text": {"columns": 80, "rows": 25}},
        "reward": "word[0x4f0]",
        "end": "word[0x4f2] >= 10",
        "frames": 6,
        "seed": 2,
    }
    rng = np.random.default_rng(2)
    with VectorEnv(path, **spec) as env:
        text, _ = env.reset(seed=2)
        last, total, episodes = np.zeros(4, int), 0.0, 0
        for _ in range(STEPS):
            last = player(rng, text, last)
            text, rewards, terminated, truncated, _ = env.step(last)
            total += float(rewards.sum())
            episodes += int((terminated | truncated).sum())
    return total, episodes


if __name__ == "__main__":
    with start_server(tuple(sys.argv[1:]) or ("npx", "frontpanel")) as server:
        for player in (at_random, reader):
            total, episodes = play(server.path, player)
            print(f"{player.__name__}: {total:.0f} hits in 4 x {STEPS} steps, {episodes} games lost")
