"""What a Python program sees of environments, a line each."""

import pathlib
import sys

import numpy as np

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "python"))
from frontpanel_gym import FrontpanelError, ParallelEnv, VectorEnv, start_server  # noqa: E402
from frontpanel_gym import channel as wire  # noqa: E402

source = (root / "examples/gym/catcher.asm").read_text()
STICK = [{"joystick": []}, {"joystick": ["left"]}, {"joystick": ["right"]}]
common = {"kind": "c64", "options": {"roms": "own"}, "from_": {"source": source, "frames": 10}}

with start_server(tuple(sys.argv[1:])) as server:
    with VectorEnv(server.path, **common, count=2, action=STICK, observe={"pixels": {}}) as env:
        pictures, _ = env.reset(seed=1)
        print("spaces", env.single_action_space, env.action_space, env.single_observation_space)
        env.action_space.seed(3)
        chance = env.action_space.sample()
        within = [chance in env.action_space, pictures in env.observation_space, [3, 0] in env.action_space]
        print("within", within, pictures.dtype == env.observation_space.dtype)
        begun = pictures.copy()
        before, *_ = env.step([2, 0])
        print("kept", bool((pictures == begun).all() and (before != begun).any()))
        saved = env.save(0)
        env.step([1, 0])
        env.restore(0, saved)
        print("restored", bool((env.observations[0] == before[0]).all()))
        env.fork(0, 1)
        print("forked", bool((env.observations[0] == env.observations[1]).all()))
        env.send([0, 1], [0, 0])
        print("received", sorted(int(index) for index in env.receive(2)[0]))
        env.reset(seed=[4, 5], options={"reset_mask": [True, True]})
        print("seeds", bool((env.reset(seed=[1, None])[0] == begun).all()))
        try:
            env.reset(seed=[1])
        except ValueError as error:
            print("error", error)
        other = [{**choice, "port": 1} for choice in STICK]
        pair = ParallelEnv(
            server.path, **common, action=[STICK, other], reward=["[$d000]", "[$d015]"], limit=1, observe={"pixels": {}}
        )
        pair.reset(seed=1)
        _, rewards, _, _, _ = pair.step({"player_0": 2, "player_1": 1})
        print("agents", pair.possible_agents, pair.num_agents, pair.action_space("player_1"), pair.observation_space("player_0"))
        print("players", [rewards["player_0"], rewards["player_1"]])
        print("ended", pair.agents)
        again = pair.reset(seed=1, options={"colour": 1})[0]
        print("any options", bool((again["player_0"] == again["player_1"]).all()), pair.agents)
        pair.close()
        spec = {**common, "count": 3, "limit": 1, "autoreset": "same_step"}
        with VectorEnv(server.path, **spec, observe={"pixels": {}, "memory": [{"address": 2, "length": 2}]}) as three:
            three.reset(seed=[1, 1, 2])
            print("begun", list(three.reset(seed=np.array([7, 8, 9]))[1]))
            seen, _, _, truncated, infos = three.step([1, 0, 2])
            last = infos["final_obs"]
            print("last", last.dtype, last.shape, sorted(last[2]), last[2]["pixels"].shape, last[2]["memory"].dtype)
            print("of whom", infos["_final_obs"], infos["_final_info"], infos["final_info"])
            print("masked", three.reset(options={"reset_mask": np.array([True, False, False])})[1])
            # What the server says where a thread was lost.
            flags = np.array([6, 2, 0], np.uint8)
            infos = three._infos([2, 0, 1], flags, np.zeros((3, three._stride), np.uint8), [[2, "lost"]])
            print("lost", infos["trouble"], infos["_trouble"], infos["final_info"]["trouble"], infos["final_obs"][2])
        with VectorEnv(server.path, **common, action=STICK, observe={"pixels": {}}) as one:
            one.reset()
            one._channel.request(wire.STEP, b"\0")
            for _ in range(2):
                try:
                    one.reset()
                except FrontpanelError as error:
                    print("error", error)
        try:
            env.step([256, 0])
        except ValueError as error:
            print("error", error)
        try:
            env.step([9, 0])
        except FrontpanelError as error:
            print("error", error)
        try:
            env._channel.ask(1, b"{}")
        except FrontpanelError as error:
            print("error", str(error).split(" already")[0])
    assert np.isfinite(before).all()
