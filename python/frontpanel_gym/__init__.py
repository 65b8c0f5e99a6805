"""Environments on emulated machines, served by `frontpanel gym`."""

from .channel import Channel, FrontpanelError, start_server
from .parallel import ParallelEnv
from .vector import AutoresetMode, VectorEnv

__all__ = ["AutoresetMode", "Channel", "FrontpanelError", "ParallelEnv", "VectorEnv", "start_server"]
