"""Environments for learning (gymnasium.farama.org) over sessions. Gymnasium itself is used where it is installed; without it the
classes have the same members.

    import simbatch.gym
    env = simbatch.gym.Env("scenario.xml", actions=["car.chassis.drive.*"], observations=["car.chassis.psd0.distance"],
                           reward=lambda s: -abs(s.get("car.chassis.psd0.distance") - 2), every=10, limit=400)
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

An episode is a run from step 0 in a simulator of its own, which is never reset in place: with `seeds="new"` the scenario is rebuilt
with a seed drawn from the environment's own generator, with `seeds="same"` the episode is a branch of a simulator at step 0.
"""

from __future__ import annotations

from typing import Any, Callable, Iterable, Optional, Sequence, Union

from .arrays import needed, optional
from .errors import RunFailed, UnknownName
from .fields import matching
from .session import Session
from .simrun import Path
from .spaces import box, stacked

Reward = Callable[[Session], float]
Ends = Callable[[Session], bool]
Start = Callable[[Session, Any], None]

_gymnasium = optional("gymnasium")
_Base: Any = object if _gymnasium is None else _gymnasium.Env
_VectorBase: Any = object if _gymnasium is None else _gymnasium.vector.VectorEnv


def _matching(what: str, patterns: Union[str, Iterable[str]], known: Sequence[str]) -> list[str]:
    names: list[str] = []
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        found = matching(pattern, list(known))
        if not found:
            raise UnknownName(what, pattern, known)
        names += [name for name in found if name not in names]
    return names


class _Task:
    """What all episodes share: the scenario, actions, observations, reward and the condition of termination."""

    def __init__(
        self,
        scenario: Path,
        actions: Union[str, Iterable[str]],
        observations: Union[str, Iterable[str]],
        reward: Reward,
        terminated: Optional[Ends],
        start: Optional[Start],
        every: int,
        limit: Optional[int],
        seeds: str,
        dtype: str,
        options: dict[str, Any],
    ) -> None:
        if seeds not in ("new", "same"):
            raise ValueError('seeds must be "new" or "same", not %r' % seeds)
        if every < 1 or (limit is not None and limit < 1):
            raise ValueError("every and limit must be at least 1")
        self.scenario, self.options = scenario, options
        self.reward, self.terminated, self.start = reward, terminated, start
        self.every, self.limit, self.same, self.dtype = every, limit, seeds == "same", dtype
        self.template = Session(scenario, **options)
        world = self.template.world
        self.dt = world.dt * every
        self.actions = _matching("input", actions, self.template.inputs)
        self.observations = _matching("number", observations, self.template.names)
        self.places = self.template.places(*self.observations)
        inf = float("inf")
        ranges = [world.inputs.get(name) for name in self.observations]
        self.observation_space = box([r.lower if r else -inf for r in ranges], [r.upper if r else inf for r in ranges], dtype)
        inputs = [world.inputs[name] for name in self.actions]
        self.action_space = box([i.lower for i in inputs], [i.upper for i in inputs], dtype)
        if not self.same:
            self.template.close()

    def begin(self, random: Any) -> Session:
        """Starts a simulator for an episode."""
        if self.same:
            session = self.template.fork()
        else:
            options: dict[str, Any] = {**self.options, "seed": int(random.integers(0, 2**53))}
            session = Session(self.scenario, **options)
        if self.start is not None:
            self.start(session, random)
        return session

    def act(self, session: Session, action: Any) -> None:
        if len(action) != len(self.actions):
            raise ValueError("%d actions instead of %d: %s" % (len(action), len(self.actions), ", ".join(self.actions)))
        for name, value in zip(self.actions, action):
            session.set(name, float(value))
        session.step_begin(self.every)

    def observe(self, session: Session) -> Any:
        return session.values[self.places].astype(self.dtype)

    def judge(self, session: Session, count: int, failed: bool) -> tuple[float, bool, bool]:
        over = failed or (self.terminated is not None and bool(self.terminated(session)))
        return float(self.reward(session)), over, not over and self.limit is not None and count >= self.limit


def _ended(session: Session) -> bool:
    """Waits for a step. @return whether the run has failed (the world blew up)"""
    try:
        session.step_end()
        return False
    except RunFailed:
        return True


def _info(session: Session) -> dict[str, Any]:
    return {"step": session.steps, "time": session.time}


class Env(_Base):  # type: ignore[misc]
    """One environment.

    @param actions       inputs of devices, `*` and `?` allowed; their ranges are the action space
    @param observations  fields, in this order; inputs have their ranges, measured values are unbounded
    @param reward        of a session, after each action
    @param terminated    of a session: whether the episode is over
    @param start         of a session and a numpy.random.Generator: prepares the start of an episode; may set inputs and step
    @param every         steps of the simulation per action
    @param limit         number of actions after which an episode is truncated
    @param seeds         "new": each episode has its own noise; "same": all have that of the scenario, and start 20 times as fast
    @param camera        what render() shows, with render_mode="rgb_array"
    All other options are those of Session.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"]}
    spec: Any = None

    def __init__(
        self,
        scenario: Path,
        *,
        actions: Union[str, Iterable[str]],
        observations: Union[str, Iterable[str]],
        reward: Reward,
        terminated: Optional[Ends] = None,
        start: Optional[Start] = None,
        every: int = 1,
        limit: Optional[int] = None,
        seeds: str = "new",
        dtype: str = "float32",
        camera: Optional[str] = None,
        render_mode: Optional[str] = None,
        **options: Any,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError('render_mode must be None or "rgb_array", not %r' % render_mode)
        if render_mode is not None and camera is None:
            raise ValueError("render_mode needs a camera")
        self._task = _Task(scenario, actions, observations, reward, terminated, start, every, limit, seeds, dtype, options)
        self.observation_space = self._task.observation_space
        self.action_space = self._task.action_space
        self.render_mode = render_mode
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": 1 / self._task.dt}
        self._camera = camera
        self._count = 0
        self._session: Optional[Session] = None
        if _gymnasium is None:
            self.np_random = needed("numpy", "an environment").random.default_rng()

    @property
    def session(self) -> Session:
        """The session of the current episode."""
        if self._session is None:
            raise RuntimeError("reset() comes first")
        return self._session

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode. With a seed, this episode and those that follow are the same each time."""
        if _gymnasium is not None:
            super().reset(seed=seed)
        elif seed is not None:
            self.np_random = needed("numpy", "an environment").random.default_rng(seed)
        if self._session is not None:
            self._session.close()
        self._session = self._task.begin(self.np_random)
        self._count = 0
        return self._task.observe(self._session), _info(self._session)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        session = self.session
        self._task.act(session, action)
        failed = _ended(session)
        self._count += 1
        reward, terminated, truncated = self._task.judge(session, self._count, failed)
        return self._task.observe(session), reward, terminated, truncated, _info(session)

    def render(self) -> Any:
        if self.render_mode is None or self._camera is None:
            return None
        return self.session.image(self._camera).array[:, :, :3].copy()

    def close(self) -> None:
        """Twice is allowed."""
        if self._session is not None:
            self._session.close()
            self._session = None
        self._task.template.close()


class VectorEnv(_VectorBase):  # type: ignore[misc]
    """Several environments whose simulators run in parallel, on as many processors as there are. A finished episode restarts at
    the next step() (Gymnasium's AutoresetMode.NEXT_STEP), which ignores the action for it. Parameters are those of Env."""

    metadata: dict[str, Any] = {"render_modes": []}
    spec: Any = None
    render_mode: Optional[str] = None
    closed = True  # until there is something to close

    def __init__(
        self,
        scenario: Path,
        num_envs: int,
        *,
        actions: Union[str, Iterable[str]],
        observations: Union[str, Iterable[str]],
        reward: Reward,
        terminated: Optional[Ends] = None,
        start: Optional[Start] = None,
        every: int = 1,
        limit: Optional[int] = None,
        seeds: str = "new",
        dtype: str = "float32",
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise ValueError("num_envs must be at least 1")
        self.num_envs = num_envs
        self._task = _Task(scenario, actions, observations, reward, terminated, start, every, limit, seeds, dtype, options)
        self.single_observation_space = self._task.observation_space
        self.single_action_space = self._task.action_space
        self.observation_space = stacked(self._task.observation_space, num_envs)
        self.action_space = stacked(self._task.action_space, num_envs)
        modes = getattr(getattr(_gymnasium, "vector", None), "AutoresetMode", None)
        if modes is not None:
            self.metadata = {"render_modes": [], "autoreset_mode": modes.NEXT_STEP}
        self._numpy = needed("numpy", "an environment")
        self._random = [self._numpy.random.default_rng() for _ in range(num_envs)]
        self.sessions: list[Session] = []
        self._counts = [0] * num_envs
        self._over = [False] * num_envs
        self.closed = False

    def reset(
        self, *, seed: Union[None, int, Sequence[Optional[int]]] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[Any, dict[str, Any]]:
        """`seed` is one number, to which each environment adds its index, or a sequence with one for each."""
        seeds: list[Optional[int]] = [None] * self.num_envs
        if isinstance(seed, int):
            seeds = [seed + i for i in range(self.num_envs)]
        elif seed is not None:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError("%d seeds for %d environments" % (len(seeds), self.num_envs))
        for i, each in enumerate(seeds):
            if each is not None:
                self._random[i] = self._numpy.random.default_rng(each)
        for session in self.sessions:
            session.close()
        self.sessions = [self._task.begin(random) for random in self._random]
        self._counts, self._over = [0] * self.num_envs, [False] * self.num_envs
        return self._observations(), self._infos()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        if not self.sessions:
            raise RuntimeError("reset() comes first")
        begun = list(self._over)
        for i, action in enumerate(actions):
            if begun[i]:
                self.sessions[i].close()
                self.sessions[i] = self._task.begin(self._random[i])
                self._counts[i] = 0
            else:
                self._task.act(self.sessions[i], action)
        rewards = self._numpy.zeros(self.num_envs)
        terminated, truncated = (self._numpy.zeros(self.num_envs, dtype=bool) for _ in range(2))
        for i, session in enumerate(self.sessions):
            if begun[i]:
                continue
            failed = _ended(session)
            self._counts[i] += 1
            rewards[i], terminated[i], truncated[i] = self._task.judge(session, self._counts[i], failed)
        self._over = [bool(over) for over in terminated | truncated]
        return self._observations(), rewards, terminated, truncated, self._infos()

    def _observations(self) -> Any:
        return self._numpy.stack([self._task.observe(session) for session in self.sessions])

    def _infos(self) -> dict[str, Any]:
        return {
            "step": self._numpy.array([session.steps for session in self.sessions]),
            "time": self._numpy.array([session.time for session in self.sessions]),
        }

    def close(self, **_: Any) -> None:
        """Twice is allowed."""
        if self.closed:
            return
        self.closed = True
        for session in self.sessions:
            session.close()
        self.sessions = []
        self._task.template.close()


if _gymnasium is not None and "simbatch/Scenario-v0" not in _gymnasium.registry:
    _gymnasium.register(id="simbatch/Scenario-v0", entry_point="simbatch.gym:Env")
