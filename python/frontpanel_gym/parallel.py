"""PettingZoo's parallel interface for one machine with several players, without needing PettingZoo itself."""

from . import spaces
from .vector import NO_RENDERING, VectorEnv

try:
    from pettingzoo import ParallelEnv as Interface
except ImportError:
    Interface = object


class ParallelEnv(Interface):
    """Agents are called `player_0`, `player_1` …; all see the same observation."""

    metadata = {"name": "frontpanel", "render_modes": []}
    render_mode = None

    def __init__(self, path, **spec):
        if spec.get("count", 1) != 1:
            raise ValueError("a parallel environment has one machine: leave out count")
        self._vector = VectorEnv(path, **{**spec, "count": 1, "autoreset": "disabled"})
        self.possible_agents = [f"player_{player}" for player in range(self._vector.players)]
        self.agents = []
        observed = self._vector.single_observation_space
        self.observation_spaces = {agent: observed for agent in self.possible_agents}
        counts = zip(self.possible_agents, self._vector.action_counts)
        self.action_spaces = {agent: spaces.of_actions([count]) for agent, count in counts}

    def reset(self, seed=None, options=None):
        """`options` exists only for compatibility with PettingZoo and is ignored."""
        observations, _ = self._vector.reset(seed=seed)
        self.agents = list(self.possible_agents)
        return self._for_each(observations), {agent: {} for agent in self.agents}

    def step(self, actions):
        if not self.agents:
            raise RuntimeError("no episode is in progress: call reset first")
        missing = [agent for agent in self.agents if agent not in actions]
        unknown = [str(agent) for agent in actions if agent not in self.agents]
        if missing or unknown:
            wrong = [f"none for {', '.join(missing)}"] * bool(missing) + [f"one for {', '.join(unknown)}"] * bool(unknown)
            raise ValueError(f"one action for each of {', '.join(self.agents)}: there is {' and '.join(wrong)}")
        chosen = [actions[agent] for agent in self.possible_agents]
        observations, rewards, terminations, truncations, infos = self._vector.step(
            chosen if len(chosen) == 1 else [chosen]
        )
        own = rewards.reshape(-1)
        told = {"trouble": infos["trouble"][0]} if "trouble" in infos else {}
        agents = self.agents
        if terminations[0] or truncations[0]:
            self.agents = []
        return (
            self._for_each(observations),
            {agent: float(own[player]) for player, agent in enumerate(agents)},
            {agent: bool(terminations[0]) for agent in agents},
            {agent: bool(truncations[0]) for agent in agents},
            {agent: dict(told) for agent in agents},
        )

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    @property
    def unwrapped(self):
        return self

    def render(self):
        raise NotImplementedError(NO_RENDERING)

    def close(self):
        self._vector.close()

    def _for_each(self, observations):
        if isinstance(observations, dict):
            one = {name: array[0] for name, array in observations.items()}
        else:
            one = observations[0]
        return {agent: one for agent in self.possible_agents}
