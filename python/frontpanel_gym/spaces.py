"""The spaces of observations and actions: Gymnasium's own where it is installed, otherwise minimal versions of them."""

import numpy as np

try:
    from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete
except ImportError:

    class Space:
        """A space with a shape and a dtype that can be sampled and tested for membership."""

        def __init__(self, shape, dtype):
            self.shape = shape
            self.dtype = None if dtype is None else np.dtype(dtype)
            self._random = np.random.default_rng()

        def seed(self, seed=None):
            self._random = np.random.default_rng(seed)
            return seed

        def contains(self, x):
            return x in self

    class Discrete(Space):
        """A number from 0 to n - 1."""

        def __init__(self, n):
            super().__init__((), np.int64)
            self.n = np.int64(n)

        def sample(self):
            return self._random.integers(self.n)

        def __contains__(self, x):
            return np.ndim(x) == 0 and np.issubdtype(np.asarray(x).dtype, np.integer) and 0 <= x < self.n

        def __eq__(self, other):
            return isinstance(other, Discrete) and self.n == other.n

        def __repr__(self):
            return f"Discrete({self.n})"

    class MultiDiscrete(Space):
        """An array of such numbers, each with its own n."""

        def __init__(self, nvec):
            self.nvec = np.array(nvec, np.int64)
            super().__init__(self.nvec.shape, np.int64)

        def sample(self):
            return self._random.integers(self.nvec)

        def __contains__(self, x):
            given = np.asarray(x)
            if given.shape != self.shape or not np.issubdtype(given.dtype, np.integer):
                return False
            return bool(np.all((given >= 0) & (given < self.nvec)))

        def __eq__(self, other):
            return isinstance(other, MultiDiscrete) and np.array_equal(self.nvec, other.nvec)

        def __repr__(self):
            return f"MultiDiscrete({self.nvec.tolist()})"

    class Box(Space):
        """An array of whole numbers within inclusive limits."""

        def __init__(self, low, high, shape, dtype):
            super().__init__(tuple(shape), dtype)
            self.low = np.full(self.shape, low, self.dtype)
            self.high = np.full(self.shape, high, self.dtype)

        def sample(self):
            return self._random.integers(self.low, self.high, dtype=self.dtype, endpoint=True)

        def __contains__(self, x):
            given = np.asarray(x)
            if given.shape != self.shape or not np.can_cast(given.dtype, self.dtype):
                return False
            return bool(np.all((given >= self.low) & (given <= self.high)))

        def __eq__(self, other):
            if not isinstance(other, Box) or self.dtype != other.dtype:
                return False
            return np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high)

        def __repr__(self):
            return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"

    class Dict(Space):
        """Several named spaces."""

        def __init__(self, spaces):
            super().__init__(None, None)
            self.spaces = dict(spaces)

        def seed(self, seed=None):
            for place, space in enumerate(self.spaces.values()):
                space.seed(None if seed is None else seed + place)
            return seed

        def sample(self):
            return {name: space.sample() for name, space in self.spaces.items()}

        def __getitem__(self, name):
            return self.spaces[name]

        def __contains__(self, x):
            return isinstance(x, dict) and x.keys() == self.spaces.keys() and all(x[name] in self[name] for name in x)

        def __eq__(self, other):
            return isinstance(other, Dict) and self.spaces == other.spaces

        def __repr__(self):
            return f"Dict({self.spaces})"


#: The highest value of each type that observations have: of a byte, and of a character.
_HIGHEST = {"uint8": 0xFF, "uint32": 0x10FFFF}


def of_actions(counts, batch=()):
    """One number per player, below that player's count; with a batch, one row per environment."""
    if not batch and len(counts) == 1:
        return Discrete(counts[0])
    row = counts[0] if len(counts) == 1 else counts
    return MultiDiscrete(np.broadcast_to(row, (*batch, *np.shape(row))))


def of_observations(parts, batch=()):
    """One array, or several by name, as `VectorEnv` returns them."""
    boxes = {
        part["name"]: Box(0, _HIGHEST[part["type"]], (*batch, *part["shape"]), np.dtype(part["type"]))
        for part in parts
    }
    return next(iter(boxes.values())) if len(boxes) == 1 else Dict(boxes)
