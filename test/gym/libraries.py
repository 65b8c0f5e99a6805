"""Plays the same episodes through Gymnasium's own vectors and through ours, and has PettingZoo test our parallel environment.

`npm run suite:gym` calls it, with the command that starts frontpanel.
"""

import contextlib
import copy
import pathlib
import sys
import traceback

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "python"))

import gymnasium  # noqa: E402
import numpy as np  # noqa: E402
import pettingzoo  # noqa: E402
from frontpanel_gym import AutoresetMode, ParallelEnv, VectorEnv, start_server  # noqa: E402
from gymnasium.vector import SyncVectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402
from gymnasium.wrappers import vector as wrappers  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test  # noqa: E402
from pettingzoo.utils.conversions import parallel_to_aec  # noqa: E402

STICK = [{"joystick": []}, {"joystick": ["left"]}, {"joystick": ["right"]}]
CATCHER = {
    "kind": "c64",
    "options": {"roms": "own"},
    "from_": {"source": (root / "examples/gym/catcher.asm").read_text(), "frames": 10},
    "action": STICK,
    "frames": 3,
    "reward": "[$d000]",
    "end": "([$d003] & 3) == 1",
    "limit": 4,
    "sticky": 0.25,
    "idle": 5,
}
COUNT = 3
SEEDS = [5, 9, 5]
OBSERVED = {
    "grey pixels": {"pixels": {}},
    "coloured pixels": {"pixels": {"width": 40, "height": 30, "grey": False, "max": True}},
    "memory": {"memory": [{"address": 0xD000, "length": 4}]},
    "text": {"text": {"columns": 40, "rows": 25}},
    "all": {"pixels": {}, "memory": [{"address": 0, "length": 256}], "text": {"columns": 40, "rows": 25}},
}
#: Gymnasium 1.0 has no modes: its vectors begin episodes with the next step.
MODES = [AutoresetMode.NEXT_STEP]
if hasattr(gymnasium.vector, "AutoresetMode"):
    MODES = list(AutoresetMode)
WRAPPERS = {
    "none": lambda env: env,
    "statistics": wrappers.RecordEpisodeStatistics,
    "infos as lists": lambda env: wrappers.DictInfoToList(wrappers.RecordEpisodeStatistics(env)),
    "flat": wrappers.FlattenObservation,
    "as float32": lambda env: wrappers.DtypeObservation(env, np.float32),
    "rescaled": lambda env: wrappers.RescaleObservation(env, 0.0, 1.0),
    "normalized": wrappers.NormalizeObservation,
    "in grey": wrappers.GrayscaleObservation,
    "clipped rewards": lambda env: wrappers.ClipReward(env, 0.0, 0.5),
    "normalized rewards": wrappers.NormalizeReward,
    "transformed rewards": lambda env: wrappers.TransformReward(env, lambda reward: 2 * reward - 1),
    "transformed actions": lambda env: wrappers.TransformAction(env, lambda actions: 2 - actions),
    "one by one": lambda env: wrappers.VectorizeTransformReward(
        env, gymnasium.wrappers.TransformReward, func=lambda reward: reward + 1
    ),
}


class One(gymnasium.Env):
    """One environment of ours as Gymnasium's vectors want it."""

    def __init__(self, path, spec):
        self._vector = VectorEnv(path, **spec, count=1, autoreset="disabled")
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space

    def reset(self, *, seed=None, options=None):
        observations, _ = self._vector.reset(seed=seed)
        return self._only(observations), {}

    def step(self, action):
        observations, rewards, terminated, truncated, _ = self._vector.step([action])
        return self._only(observations), rewards[0], terminated[0], truncated[0], {}

    def close(self):
        self._vector.close()

    @staticmethod
    def _only(observations):
        if isinstance(observations, dict):
            return {name: array[0] for name, array in observations.items()}
        return observations[0]


def theirs(path, spec, mode):
    given = {} if len(MODES) == 1 else {"autoreset_mode": mode}
    return SyncVectorEnv([lambda: One(path, spec)] * COUNT, **given)


def ours(path, spec, mode):
    return VectorEnv(path, **spec, count=COUNT, autoreset=mode)


def heard(env, mode, steps=12):
    """Everything that a vector says, however it is wrapped."""
    chance = np.random.default_rng(1)
    said = [env.reset(seed=SEEDS)]
    ends = 0
    for _ in range(steps):
        # Wrappers go on with arrays that they have given away.
        said.append(copy.deepcopy(env.step(chance.integers(0, 3, COUNT))))
        ended = said[-1][2] | said[-1][3]
        ends += int(ended.sum())
        if mode is AutoresetMode.DISABLED and ended.any():
            said.append(env.reset(seed=SEEDS, options={"reset_mask": ended}))
    if ends < 2:
        raise RuntimeError("hardly an episode has ended")
    return said


def differences(one, other, where=""):
    """Where two answers are not the same; times of the wall are not looked at."""
    if where.endswith("'episode'/'t'"):
        return
    if type(one) is not type(other):
        yield f"{where}: {type(one).__name__} and {type(other).__name__}"
    elif isinstance(one, dict):
        if one.keys() != other.keys():
            yield f"{where}: {sorted(one)} and {sorted(other)}"
        else:
            for key in one:
                yield from differences(one[key], other[key], f"{where}/{key!r}")
    elif isinstance(one, (tuple, list)) or (isinstance(one, np.ndarray) and one.dtype == object):
        if len(one) != len(other):
            yield f"{where}: {len(one)} and {len(other)}"
        for place, (each, another) in enumerate(zip(one, other)):
            yield from differences(each, another, f"{where}/{place}")
    elif isinstance(one, np.ndarray) and np.issubdtype(one.dtype, np.floating):
        # Rewards are float32 here and float64 there.
        if one.shape != other.shape or not np.allclose(one, other):
            yield f"{where}: {one} and {other}"
    elif isinstance(one, np.ndarray):
        if one.dtype != other.dtype or not np.array_equal(one, other):
            yield f"{where}: {one.dtype}{list(one.shape)} and {other.dtype}{list(other.shape)}, or other values"
    elif one != other:
        yield f"{where}: {one} and {other}"


def outcome(make, wrap, mode):
    """What it says, or what a wrapper has against it."""
    # Older wrappers close what is in them when nobody has them any more.
    with contextlib.closing(make()) as env:
        try:
            return heard(wrap(env), mode)
        except (AssertionError, KeyError, TypeError, ValueError) as error:
            return type(error).__name__


def compare(path, observe, mode, wrap):
    spec = {**CATCHER, "observe": observe}
    found = list(differences(*(outcome(lambda: make(path, spec, mode), wrap, mode) for make in (theirs, ours))))
    if found:
        raise AssertionError(f"Gymnasium's vector and ours differ in {len(found)} places: {'; '.join(found[:5])}")


def check_spaces(path, observe):
    with VectorEnv(path, **CATCHER, observe=observe, count=COUNT) as env:
        seen, _ = env.reset(seed=1)
        assert isinstance(env, gymnasium.vector.VectorEnv)
        for space in (env.observation_space, env.single_observation_space, env.action_space, env.single_action_space):
            assert isinstance(space, gymnasium.Space)
            assert space.sample() in space
        assert seen in env.observation_space
        assert env.observation_space == batch_space(env.single_observation_space, COUNT)
        assert env.action_space == batch_space(env.single_action_space, COUNT)


def check_made(path):
    """As `make_vec` makes it."""
    gymnasium.register("Catcher-v0", vector_entry_point=lambda num_envs: VectorEnv(path, **CATCHER, count=num_envs))
    env = gymnasium.make_vec("Catcher-v0", num_envs=2)
    assert env.num_envs == 2
    assert env.spec.id == "Catcher-v0"
    env.reset(seed=1)
    env.step(env.action_space.sample())
    env.close()
    assert env.closed


def two_players(path, **more):
    other = [{**choice, "port": 1} for choice in STICK]
    spec = {**CATCHER, "action": [STICK, other], "reward": ["bcd($02, 2)", "[$04]"], "observe": {"pixels": {}}}
    return ParallelEnv(path, **{**spec, **more})


def main():
    wrong = []

    def check(name, what, *given):
        try:
            what(*given)
        except Exception as error:
            wrong.append(name)
            print(f"FAILED {name}: {error or traceback.format_exc()}", flush=True)
        else:
            print(f"passed {name}", flush=True)

    print(f"Gymnasium {gymnasium.__version__}, PettingZoo {pettingzoo.__version__}, numpy {np.__version__}", flush=True)
    with start_server(tuple(sys.argv[1:])) as server:
        for sort, observe in OBSERVED.items():
            check(f"spaces of {sort}", check_spaces, server.path, observe)
        check("make_vec", check_made, server.path)
        for mode in MODES:
            for sort, observe in OBSERVED.items():
                for name, wrap in WRAPPERS.items() if sort == "coloured pixels" else [("none", WRAPPERS["none"])]:
                    check(f"{mode.value}, {sort}, wrapper: {name}", compare, server.path, observe, mode, wrap)
        with contextlib.closing(two_players(server.path)) as env:
            check("parallel_api_test", parallel_api_test, env, 100)
        check("parallel_seed_test", parallel_seed_test, lambda: two_players(server.path), 30)
        with contextlib.closing(parallel_to_aec(two_players(server.path))) as env:
            check("api_test as AEC", api_test, env, 100)
        check("seed_test as AEC", seed_test, lambda: parallel_to_aec(two_players(server.path)), 30)
    if wrong:
        sys.exit(f"{len(wrong)} failed: {', '.join(wrong)}")
    print("all passed")


main()
