"""Steps environments as a trainer does: `gym-steps.py SOCKET SPEC`, then a number of steps on each line of standard input."""

import json
import sys

import numpy as np
from frontpanel_gym import VectorEnv

path, spec = sys.argv[1:]
environments = VectorEnv(path, **json.loads(spec))
environments.reset(seed=1)
actions = np.zeros(environments.num_envs, dtype=np.int64)
print("ready", flush=True)
for line in sys.stdin:
    for _ in range(int(line)):
        environments.step(actions)
    print("stepped", flush=True)
