"""Gymnasium's vector interface, without needing Gymnasium itself. Where it is installed, its wrappers take these environments."""

import enum
import json
import operator
import struct

import numpy as np

from . import channel as wire
from . import spaces
from .channel import Channel

try:
    from gymnasium.vector import VectorEnv as Interface
except ImportError:
    Interface = object

try:
    from gymnasium.vector import AutoresetMode
except ImportError:  # Gymnasium 1.0 has vectors and no modes.

    class AutoresetMode(enum.Enum):
        """The same as `gymnasium.vector.AutoresetMode`."""

        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"


NO_RENDERING = "there is no rendering; observe the picture instead: observe={'pixels': {'width': 384, 'height': 272, 'grey': False}}"

#: Actions cross the socket as bytes.
_MOST_ACTIONS = 256


class VectorEnv(Interface):
    """Many machines stepped together.

    Observations are a dictionary of arrays, or one array if there is only one kind. Each answer has its own arrays.
    """

    closed = False
    spec = None
    render_mode = None

    def __init__(self, path, **spec):
        """`spec`: kind, options, from_, count, threads, frames, action, observe, reward, end, limit, seed, sticky, idle, autoreset."""
        if "from_" in spec:
            spec["from"] = spec.pop("from_")
        if isinstance(spec.get("autoreset"), AutoresetMode):
            spec["autoreset"] = spec["autoreset"].name.lower()
        self._channel = Channel(path)
        try:
            opened = json.loads(self._channel.ask(wire.OPEN, json.dumps(spec).encode()))
        except BaseException:
            self._channel.close()
            raise
        self.num_envs = opened["count"]
        self.players = len(opened["players"])
        #: For each player how many actions there are.
        self.action_counts = opened["players"]
        self.metadata = {"autoreset_mode": AutoresetMode[opened["autoreset"].upper()]}
        self._parts = opened["parts"]
        self._stride = opened["observationBytes"]
        self.single_action_space = spaces.of_actions(self.action_counts)
        self.action_space = spaces.of_actions(self.action_counts, (self.num_envs,))
        self.single_observation_space = spaces.of_observations(self._parts)
        self.observation_space = spaces.of_observations(self._parts, (self.num_envs,))

    def reset(self, *, seed=None, options=None):
        """As in Gymnasium: one seed for all, or a list with one per environment; `options={"reset_mask": array of bool}` resets some.

        With a list, each environment lives as the only one of a vector with its seed does.
        """
        unknown = set(options or {}) - {"reset_mask"}
        if unknown:
            raise ValueError(f"no option {', '.join(sorted(map(str, unknown)))} of reset: use reset_mask")
        mask = (options or {}).get("reset_mask")
        which = range(self.num_envs) if mask is None else self._masked(mask)
        wanted = {} if mask is None else {"which": which.tolist()}
        if seed is None or np.ndim(seed) == 0:
            if seed is not None:
                wanted["seed"] = _seed(seed)
        elif len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds for {self.num_envs} environments: give one seed for all, or one per environment")
        else:
            seeds = [_seed(each) for each in seed]
            wanted["seed"] = [seeds[index] for index in which]
        self._channel.request(wire.RESET, json.dumps(wanted).encode())
        self._hear()
        return self.observations, {}

    def step(self, actions):
        """Takes one action per environment; with several players, one row per environment with an action per player."""
        chosen = self._chosen(actions, self.num_envs)
        self._channel.request(wire.STEP, chosen.tobytes())
        flags, finals, trouble = self._hear()
        infos = self._infos(range(self.num_envs), flags, finals, trouble)
        return self.observations, self._rewards_as_given(), self.terminations, self.truncations, infos

    def send(self, indexes, actions):
        """Starts a step in some environments; `receive` waits for the results."""
        which = np.array([self._index(index) for index in indexes], dtype="<u4")
        chosen = self._chosen(actions, which.size)
        self._channel.ask(wire.SEND, struct.pack("<I", which.size), which.tobytes(), chosen.tobytes())

    def receive(self, count):
        """Returns the first `count` environments that are ready: their numbers, observations, rewards, terminations, truncations and infos."""
        body = memoryview(self._channel.ask(wire.RECEIVE, struct.pack("<I", _whole(count, "a number of environments"))))
        (number,) = struct.unpack_from("<I", body)
        indexes = np.frombuffer(body, "<u4", number, 4)
        at = 4 + 4 * number
        raw = np.frombuffer(body, np.uint8, number * self._stride, at).reshape(number, self._stride)
        at += number * self._stride
        rewards = np.frombuffer(body, "<f4", number * self.players, at).reshape(number, self.players)
        at += rewards.nbytes
        flags = np.frombuffer(body, np.uint8, number, at)
        at += _padded(number)
        finals = None
        if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
            finals = np.frombuffer(body, np.uint8, number * self._stride, at).reshape(number, self._stride)
            at += finals.nbytes
        infos = self._infos(indexes, flags, finals, json.loads(bytes(body[at:])))
        rewards = rewards[:, 0] if self.players == 1 else rewards
        return indexes, self._views(raw), rewards, flags & 1 != 0, flags & 2 != 0, infos

    def save(self, index):
        """Returns the complete state of one environment as bytes, which another one can restore, also on another computer."""
        return bytes(self._channel.ask(wire.SAVE, struct.pack("<I", self._index(index))))

    def restore(self, index, saved):
        self._channel.request(wire.RESTORE, struct.pack("<I", self._index(index)), saved)
        self._hear()

    def fork(self, source, target):
        """Copies the state of environment `source` to `target`."""
        self._channel.request(wire.FORK, struct.pack("<II", self._index(source), self._index(target)))
        self._hear()

    @property
    def observations(self):
        """The latest observations of all environments."""
        return self._views(self._raw)

    @property
    def unwrapped(self):
        return self

    def render(self):
        raise NotImplementedError(NO_RENDERING)

    def close(self, **_):
        self.closed = True
        self._channel.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _chosen(self, actions, count):
        chosen = np.asarray(actions)
        shapes = [(count,), (count, 1)] if self.players == 1 else [(count, self.players)]
        if chosen.shape not in shapes:
            one = "a number" if self.players == 1 else f"a row of {self.players}"
            raise ValueError(f"actions of the shape {chosen.shape} for {count} environments: {one} for each, {shapes[0]}")
        if not np.issubdtype(chosen.dtype, np.integer) or not np.all((chosen >= 0) & (chosen < _MOST_ACTIONS)):
            most = " and ".join(str(each) for each in self.action_counts)
            raise ValueError(f"actions are whole numbers from 0 on, and below {most}; these are {chosen.tolist()}")
        return np.ascontiguousarray(chosen, dtype=np.uint8)

    def _hear(self):
        """Reads the next answer into new memory, so earlier answers never change, even after an error."""
        count, players = self.num_envs, self.players
        observed = count * self._stride
        rewarded = count * players * 4
        flagged = _padded(count)
        has_finals = self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        # It comes from the socket straight into the arrays that are given away.
        everything = np.empty(observed + rewarded + flagged + (observed if has_finals else 0), np.uint8)
        _, rest = self._channel.answer(everything)
        self._raw = everything[:observed].reshape(count, self._stride)
        self._rewards = everything[observed : observed + rewarded].view("<f4").reshape(count, players)
        flags = everything[observed + rewarded : observed + rewarded + count]
        finals = everything[observed + rewarded + flagged :].reshape(count, -1) if has_finals else None
        self.terminations = flags & 1 != 0
        self.truncations = flags & 2 != 0
        return flags, finals, json.loads(rest)

    def _infos(self, which, flags, finals, trouble):
        """As in Gymnasium: beside each array there is a mask of the environments it concerns."""
        infos = {}
        if trouble:
            reasons = dict(trouble)
            _tell(infos, "trouble", [reasons.get(int(index)) for index in which])
        ended = flags & 3 != 0
        if finals is not None and ended.any():
            # Who was lost in this step has a new episode already: the reason is of the one before.
            last, before = self._views(finals), dict(infos)
            _tell(infos, "final_obs", [_row(last, place) if has else None for place, has in enumerate(ended)])
            infos["final_info"], infos["_final_info"] = before, ended
        return infos

    def _masked(self, mask):
        chosen = np.asarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
            raise ValueError(f"reset_mask is an array of {self.num_envs} bool, not {chosen.dtype} of the shape {chosen.shape}")
        return np.flatnonzero(chosen)

    def _index(self, index):
        number = _whole(index, "the number of an environment")
        if number >= self.num_envs:
            raise ValueError(f"no environment {number}: there are {self.num_envs}, from 0 on")
        return number

    def _rewards_as_given(self):
        return self._rewards[:, 0] if self.players == 1 else self._rewards

    def _views(self, raw):
        views = {}
        for part in self._parts:
            own = raw[:, part["offset"] : part["offset"] + part["bytes"]]
            if part["type"] == "uint32":
                own = np.ascontiguousarray(own).view("<u4")
            views[part["name"]] = own.reshape(len(raw), *part["shape"])
        return next(iter(views.values())) if len(views) == 1 else views


def _tell(infos, name, values):
    """None marks environments without a value."""
    told = infos[name] = np.full(len(values), None, dtype=object)
    for place, value in enumerate(values):
        told[place] = value
    infos[f"_{name}"] = np.array([value is not None for value in values])


def _row(views, place):
    """The observation of one environment."""
    if isinstance(views, dict):
        return {name: array[place] for name, array in views.items()}
    return views[place]


def _padded(count):
    return (count + 3) // 4 * 4


def _whole(number, what):
    try:
        found = operator.index(number)
    except TypeError:
        found = -1
    if found < 0:
        raise ValueError(f"{number!r} is not {what}: use a whole number from 0 on")
    return found


def _seed(seed):
    if seed is None:
        return None
    found = _whole(seed, "a seed")
    if found > 0xFFFF_FFFF:
        raise ValueError(f"{found} is not a seed: seeds are below 2**32")
    return found
