"""What a Python program hears of what it does wrong, a line each; what it had before stays as it was."""

import pathlib
import sys

import numpy as np

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "python"))
from frontpanel_gym import FrontpanelError, ParallelEnv, VectorEnv, start_server  # noqa: E402

source = (root / "examples/gym/catcher.asm").read_text()
STICK = [{"joystick": []}, {"joystick": ["left"]}, {"joystick": ["right"]}]
common = {"kind": "c64", "options": {"roms": "own"}, "from_": {"source": source, "frames": 10}, "action": STICK}


def wrong(act):
    try:
        act()
    except (FrontpanelError, NotImplementedError, ValueError) as error:
        print(type(error).__name__, error)
    else:
        print("nothing was wrong")


with start_server(tuple(sys.argv[1:])) as server:
    for spec in (
        {"colour": 1},
        {"count": 0},
        {"options": {"sid": "6582"}},
        {"reward": ["1", "2"]},
        {"observe": {"memory": [{"address": 0xFFFF, "length": 2}]}},
        {"observe": {"memory": [{"address": 0, "length": 2, "space": "rum"}]}, "threads": 1},
        {"from_": {"source": source, "program": "x"}},
    ):
        wrong(lambda: VectorEnv(server.path, **{**common, **spec}))
    env = VectorEnv(server.path, **common, count=2, observe={"pixels": {}}, limit=1, autoreset="same_step")
    seen, _ = env.reset(seed=1)
    before = seen.copy()
    for actions in ([0], [[0, 0]], [0.0, 1.0], [-1, 0], [9, 0]):
        wrong(lambda: env.step(actions))
    print("kept", bool((env.observations == before).all()))
    for options in ({"mask": [True, True]}, {"reset_mask": [True]}, {"reset_mask": [0, 1]}):
        wrong(lambda: env.reset(options=options))
    for seed in (1.5, -1, 2**32, [1]):
        wrong(lambda: env.reset(seed=seed))
    for index in (-1, 2):
        wrong(lambda: env.save(index))
    env.send([0, 1], [0, 0])
    indexes, _, _, terminated, truncated, infos = env.receive(2)
    finals = infos["final_obs"]
    print("received", terminated.any(), truncated.all(), infos["_final_obs"], finals.shape, bool((finals[0] != before[0]).any()))
    pair = ParallelEnv(server.path, **{**common, "action": [STICK, STICK]}, observe={"pixels": {}})
    pair.reset(seed=1)
    wrong(lambda: pair.step({"player_0": 0}))
    wrong(lambda: pair.step({"player_0": 0, "player_1": 0, "player_2": 0}))
    wrong(pair.render)
    pair.close()
    left = VectorEnv(server.path, **common, observe={"pixels": {}})
    env.close()
    env.close()
    wrong(env.reset)
wrong(lambda: left.step([0]))
assert np.isfinite(before).all()
