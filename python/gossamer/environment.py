"""An environment for reinforcement learning: of gymnasium if it is installed."""
import numpy as np

from ._objects import NotPickled
from .system import Stepper

try:
    from gymnasium import Env as _Base
    from gymnasium.spaces import Box
except ImportError:

    class Box:
        """A set of vectors between ``low`` and ``high``, with the interface of gymnasium.spaces.Box."""

        def __init__(self, low, high, shape=None, dtype=np.float64, seed=None):
            self.dtype = np.dtype(dtype)
            self.shape = tuple(shape) if shape is not None else np.shape(low)
            self.low, self.high = (np.array(np.broadcast_to(x, self.shape), self.dtype) for x in (low, high))
            self._generator = np.random.default_rng(seed)

        def seed(self, seed=None):
            """Restart the random samples."""
            self._generator = np.random.default_rng(seed)

        def sample(self):
            """A random vector: uniform between finite limits, else normally distributed inside the limits."""
            finite = np.isfinite(self.low) & np.isfinite(self.high)
            low, high = np.where(finite, self.low, 0.0), np.where(finite, self.high, 1.0)
            normal = np.clip(self._generator.normal(size=self.shape), self.low, self.high)
            return np.where(finite, self._generator.uniform(low, high), normal).astype(self.dtype)

        def contains(self, x):
            """Is x a vector of this shape between the limits?"""
            x = np.asarray(x)
            return x.dtype.kind in "iuf" and x.shape == self.shape and bool(((x >= self.low) & (x <= self.high)).all())

        __contains__ = contains

        def __eq__(self, other):
            return (isinstance(other, Box) and self.shape == other.shape and
                    np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high))

        __hash__ = None

        def __repr__(self):
            return f"Box({self.low}, {self.high}, {self.shape}, {self.dtype})"

    class _Base:
        """The part of gymnasium.Env that does not need the package."""

        metadata = {"render_modes": []}
        render_mode = spec = None
        _generator = None

        @property
        def unwrapped(self):
            """The environment itself."""
            return self

        @property
        def np_random(self):
            """Generator of random numbers."""
            if self._generator is None:
                self._generator = np.random.default_rng()
            return self._generator

        def reset(self, *, seed=None, options=None):
            """Set the generator of random numbers."""
            if seed is not None:
                self._generator = np.random.default_rng(seed)

        def render(self):
            """Nothing is drawn."""

        def close(self):
            """Nothing remains open."""

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.close()


class Env(NotPickled, _Base):
    """An environment with ``reset`` and ``step``, a gymnasium.Env if gymnasium is installed.

    ``inputs``, ``outputs``: as for :class:`Stepper`; ``dt``: time between two actions [s]; ``limits``: (low, high) of the
    actions, numbers or one for each input; ``reward(observation, action, time)``; ``end``: time at which an episode is
    truncated [s]; ``terminated(observation, time)``: ends the episode; ``start(state, generator)``: changes the initial state
    of an episode. Observations are copies. ``action_space`` and ``observation_space`` are boxes of 64-bit numbers.
    """

    _remedy = "make it from its model in the other process"

    def __init__(self, system, inputs, outputs, dt, *, limits=None, reward=None, end=None, terminated=None, start=None,
                 ramp=False, **options):
        if not dt > 0:
            raise ValueError("dt must be greater than 0")
        self.dt, self.end = float(dt), float("inf") if end is None else float(end)
        self._reward, self._terminated, self._start = reward, terminated, start
        self.stepper = Stepper(system, inputs, outputs, ramp=ramp, **options)
        n, ny = len(self.stepper.inputs), len(self.stepper.outputs)
        low, high = (-np.inf, np.inf) if limits is None else limits
        try:
            low, high = (np.array(np.broadcast_to(np.asarray(x, float), (n,))) for x in (low, high))
        except ValueError:
            raise ValueError(f"limits: low and high must be numbers, or {n} numbers each, one for each input") from None
        if not (low < high).all():
            raise ValueError("limits: each low must be less than its high")
        self.action_space = Box(low, high, dtype=np.float64)
        self.observation_space = Box(-np.inf, np.inf, (ny,), np.float64)
        self._initial = self.stepper.state.copy()
        self._k = 0

    def reset(self, *, seed=None, options=None):
        """Begin an episode. Returns (observation, info)."""
        super().reset(seed=seed)
        state = self._initial.copy()
        if self._start is not None:
            self._start(state, self.np_random)
            state.settle()
        self.stepper.u[:] = np.nan
        self._k = 0
        return self.stepper.restore(state).copy(), {"time": self.stepper.time}

    def step(self, action):
        """Apply an action for dt. Returns (observation, reward, terminated, truncated, info)."""
        action = np.atleast_1d(np.asarray(action, float))
        if action.shape != self.action_space.shape or not np.isfinite(action).all() or not self.action_space.contains(action):
            raise ValueError(f"an action must be {len(self.stepper.inputs)} finite numbers inside the limits "
                             f"{self.action_space.low} to {self.action_space.high}, not {action}")
        self.stepper.u[:] = action
        self._k += 1
        y = self.stepper.advance(self._initial.time + self._k * self.dt).copy()
        t = self.stepper.time
        reward = 0.0 if self._reward is None else float(self._reward(y, action, t))
        terminated = self.stepper.ended or (self._terminated is not None and bool(self._terminated(y, t)))
        return y, reward, bool(terminated), bool(t >= self.end - 1e-12), {"time": t}
