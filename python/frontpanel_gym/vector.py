"""Gymnasium's vector interface, without needing Gymnasium itself. Where it is installed, its wrappers take these environments."""

import enum
import json
import struct

import numpy as np

from . import channel as wire
from . import spaces
from .channel import Channel

try:
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector import VectorEnv as Interface
except ImportError:
    Interface = object

    class AutoresetMode(enum.Enum):
        """As `gymnasium.vector.AutoresetMode`."""

        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"


#: Actions cross the socket as bytes.
_MOST_ACTIONS = 256


class VectorEnv(Interface):
    """Many machines that are stepped together.

    Observations are a dictionary of arrays, or one array where there is only one sort. Each answer has arrays of its own.
    """

    closed = False

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
        """As Gymnasium has it: one seed for all or a list with one for each; `options={"reset_mask": array of bool}` resets some."""
        mask = (options or {}).get("reset_mask")
        which = range(self.num_envs) if mask is None else np.flatnonzero(mask)
        if seed is None or np.ndim(seed) == 0:
            infos = self._reset(seed, None if mask is None else which)
            return self.observations, infos
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds for {self.num_envs} environments")
        infos = {}
        for index in which:
            infos = self._reset(seed[index], [index])
        return self.observations, infos

    def step(self, actions):
        """One action for each environment, or a row for each with one for every player."""
        chosen = self._chosen(actions, self.num_envs)
        self._channel.request(wire.STEP, chosen.tobytes())
        infos = self._hear()
        return self.observations, self._rewards_as_given(), self.terminations, self.truncations, infos

    def send(self, indexes, actions):
        """Begins steps of some environments; `receive` waits for them."""
        which = np.ascontiguousarray(indexes, dtype="<u4")
        chosen = self._chosen(actions, which.size)
        self._channel.ask(wire.SEND, struct.pack("<I", which.size), which.tobytes(), chosen.tobytes())

    def receive(self, count):
        """The first `count` that are ready: their numbers, observations, rewards, terminations, truncations."""
        body = memoryview(self._channel.ask(wire.RECEIVE, struct.pack("<I", count)))
        (number,) = struct.unpack_from("<I", body)
        indexes = np.frombuffer(body, "<u4", number, 4)
        at = 4 + 4 * number
        raw = np.frombuffer(body, np.uint8, number * self._stride, at).reshape(number, self._stride)
        at += number * self._stride
        rewards = np.frombuffer(body, "<f4", number * self.players, at).reshape(number, self.players)
        flags = np.frombuffer(body, np.uint8, number, at + rewards.nbytes)
        rewards = rewards[:, 0] if self.players == 1 else rewards
        return indexes, self._views(raw), rewards, flags & 1 != 0, flags & 2 != 0

    def save(self, index):
        """Everything there is to one environment, as bytes that another one can take, on another computer too."""
        return bytes(self._channel.ask(wire.SAVE, struct.pack("<I", index)))

    def restore(self, index, saved):
        self._channel.request(wire.RESTORE, struct.pack("<I", index), saved)
        self._hear()

    def fork(self, source, target):
        """Environment `target` becomes what `source` is."""
        self._channel.request(wire.FORK, struct.pack("<II", source, target))
        self._hear()

    @property
    def observations(self):
        """What was last heard of all environments."""
        return self._views(self._raw)

    def close(self, **_):
        self.closed = True
        self._channel.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _reset(self, seed, which):
        wanted = {} if seed is None else {"seed": int(seed)}
        if which is not None:
            wanted["which"] = [int(index) for index in which]
        self._channel.request(wire.RESET, json.dumps(wanted).encode())
        return self._hear()

    def _chosen(self, actions, count):
        chosen = np.asarray(actions)
        if chosen.size != count * self.players:
            raise ValueError(f"{chosen.size} actions for {count} environments with {self.players} players")
        if not np.issubdtype(chosen.dtype, np.integer) or not np.all((chosen >= 0) & (chosen < _MOST_ACTIONS)):
            raise ValueError(f"actions are whole numbers below {self.action_counts}")
        return np.ascontiguousarray(chosen, dtype=np.uint8)

    def _lay_out(self):
        """A new place for an answer: it comes from the socket straight into the arrays that are given away."""
        count, players = self.num_envs, self.players
        observed = count * self._stride
        rewarded = count * players * 4
        flagged = (count + 3) // 4 * 4
        finals = observed if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP else 0
        everything = np.empty(observed + rewarded + flagged + finals, np.uint8)
        self._raw = everything[:observed].reshape(count, self._stride)
        self._rewards = everything[observed : observed + rewarded].view("<f4").reshape(count, players)
        self._flags = everything[observed + rewarded : observed + rewarded + count]
        self._finals = everything[observed + rewarded + flagged :].reshape(count, -1) if finals else None
        return everything

    def _hear(self):
        _, rest = self._channel.answer(self._lay_out())
        self.terminations = self._flags & 1 != 0
        self.truncations = self._flags & 2 != 0
        infos = {}
        trouble = json.loads(rest)
        if trouble:
            infos["trouble"] = {index: text for index, text in trouble}
        if self._finals is not None and self._flags.any():
            infos["final_obs"] = self._views(self._finals)
            infos["_final_obs"] = self._flags & 3 != 0
        return infos

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
