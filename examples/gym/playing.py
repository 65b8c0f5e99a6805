"""Shared by the examples: starts a server and plays episodes on it."""

import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "python"))

import numpy as np  # noqa: E402
from frontpanel_gym import VectorEnv, start_server  # noqa: E402


def play(path, spec, steps, player):
    """Plays this many steps; returns the sum of rewards and the number of episodes. A player gets the observation and its last actions."""
    rng = np.random.default_rng(spec["seed"])
    with VectorEnv(path, **spec) as env:
        seen, _ = env.reset(seed=spec["seed"])
        last, total, episodes = np.zeros(spec["count"], int), 0.0, 0
        for _ in range(steps):
            last = player(rng, seen, last)
            seen, rewards, terminated, truncated, _ = env.step(last)
            total += float(rewards.sum())
            episodes += int((terminated | truncated).sum())
    return total, episodes


def compare(spec, steps, players, what):
    """Prints the result of each player. The command line may give the command that starts frontpanel."""
    with start_server(tuple(sys.argv[1:]) or ("npx", "frontpanel")) as server:
        for player in players:
            total, episodes = play(server.path, spec, steps, player)
            print(f"{player.__name__}: {total:.0f} {what} in {spec['count']} x {steps} steps, {episodes} games lost")
