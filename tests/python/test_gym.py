"""Environments: what Gymnasium asks of one, by its own checker where it is installed, by the same questions here."""
import os
import subprocess
import sys
import unittest
import warnings

from common import BALANCE, FIRST_DRIVE, ROOT, Case, simbatch

try:
    import numpy
except ImportError:
    numpy = None
try:
    import gymnasium
except ImportError:
    gymnasium = None

TASK = dict(
    ignore_programs=True,
    fields="velocities",
    actions=["balancer.*_motor.target"],
    observations=["balancer.body.z", "balancer.body.qx", "balancer.body.imu.*", "balancer.left_motor.target"],
    reward=lambda s: 1.0 - abs(s.get("balancer.body.z")),
    terminated=lambda s: abs(s.get("balancer.body.qx")) > 0.3,
    every=4,
    limit=20,
)


def task(**changes):
    return {**TASK, **changes}


def play(env, actions, seed):
    """An episode as one list of numbers, of text and of truth values."""
    observation, info = env.reset(seed=seed)
    seen = [observation.tobytes(), sorted(info.items())]
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(action)
        seen += [observation.tobytes(), reward, terminated, truncated, sorted(info.items())]
        if terminated or truncated:
            break
    return seen


@unittest.skipIf(numpy is None, "no numpy")
class Environment(Case):
    def make(self, **changes):
        env = simbatch.gym.Env(BALANCE, **task(**changes))
        self.addCleanup(env.close)
        return env

    def setUp(self):
        super().setUp()
        import simbatch.gym  # noqa: F401

    def test_gymnasiums_own_checker(self):
        if gymnasium is None:
            print("\nSKIPPED: Gymnasium is not installed, so that its check_env() was not asked (pip install gymnasium)")
            self.skipTest("no gymnasium")
        from gymnasium.utils.env_checker import check_env

        with warnings.catch_warnings():
            # What is measured has no limits, and torques are not between -1 and 1.
            warnings.filterwarnings("ignore", message=".*(infinity|normalized).*")
            check_env(gymnasium.make("simbatch/Scenario-v0", scenario=BALANCE, **TASK).unwrapped, skip_render_check=True)

    def test_beside_gymnasium(self):
        """The classes derive from Gymnasium's where it is there: here from the members of it that they use."""
        program = """
import sys, types
sys.path[:0] = %r
import numpy
from simbatch.spaces import Box

class Env:
    _np_random = None
    @property
    def np_random(self):
        if self._np_random is None:
            self._np_random = numpy.random.default_rng()
        return self._np_random
    @np_random.setter
    def np_random(self, value):
        raise RuntimeError("set by reset() only")
    @property
    def unwrapped(self):
        return self
    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self._np_random = numpy.random.default_rng(seed)

class VectorEnv:
    closed = False
    def __del__(self):
        if not getattr(self, "closed", True):
            self.close()

fake = types.ModuleType("gymnasium")
fake.Env, fake.registry, made = Env, {}, []
fake.spaces = types.SimpleNamespace(Box=lambda low, high, dtype: made.append(dtype) or Box(low, high, dtype))
fake.vector = types.SimpleNamespace(VectorEnv=VectorEnv, AutoresetMode=types.SimpleNamespace(NEXT_STEP="next"))
fake.register = lambda id, entry_point: fake.registry.update({id: entry_point})
sys.modules["gymnasium"] = fake

import simbatch.gym
import test_gym
assert fake.registry == {"simbatch/Scenario-v0": "simbatch.gym:Env"}
env = simbatch.gym.Env(test_gym.BALANCE, **test_gym.TASK)
assert isinstance(env, Env) and made == [numpy.float32] * 2
first, _ = env.reset(seed=123)
state = env.unwrapped._np_random.bit_generator.state
again, _ = env.reset(seed=123, options={})
assert first.tobytes() == again.tobytes() and env.unwrapped._np_random.bit_generator.state == state
env.reset(seed=456)
assert env.unwrapped._np_random.bit_generator.state != state
env.step(env.action_space.sample())
env.close()
vector = simbatch.gym.VectorEnv(test_gym.BALANCE, 2, **test_gym.TASK)
assert isinstance(vector, VectorEnv) and vector.metadata["autoreset_mode"] == "next"
vector.reset(seed=1)
vector.step(vector.action_space.sample())
vector.close()
try:
    simbatch.gym.VectorEnv(test_gym.BALANCE, 2, **{**test_gym.TASK, "actions": ["nothing"]})
except KeyError:
    print("all as expected")
"""
        here = os.path.dirname(os.path.abspath(__file__))
        ended = subprocess.run([sys.executable, "-W", "error", "-c", program % [here, os.path.join(ROOT, "python")]], capture_output=True, text=True)
        self.assertEqual((ended.stdout, ended.stderr), ("all as expected\n", ""))

    def test_spaces(self):
        env = self.make()
        self.assertEqual(env.action_space.shape, (2,))
        self.assertEqual(env.observation_space.dtype, numpy.float32)
        self.assertTrue(numpy.isinf(env.observation_space.low[0]))
        self.assertTrue(numpy.isfinite(env.observation_space.high[-1]))  # an input has its range
        env.action_space.seed(1)
        first = env.action_space.sample()
        self.assertIn(first, env.action_space)
        env.action_space.seed(1)
        self.assertEqual(first.tobytes(), env.action_space.sample().tobytes())
        self.assertNotIn(first.astype("float64") * 1e30, env.action_space)
        observation, info = env.reset(seed=0)
        self.assertIn(observation, env.observation_space)
        result = env.step(env.action_space.sample())
        self.assertIn(result[0], env.observation_space)
        self.assertEqual([type(each) for each in result[1:]], [float, bool, bool, dict])
        self.assertEqual(result[4], {"step": 4, "time": 4 * env.session.dt})

    def test_a_seed_makes_an_episode_the_same(self):
        for seeds in ("new", "same"):
            a, b = self.make(seeds=seeds), self.make(seeds=seeds)
            actions = [numpy.float32([i % 3 - 1, 1 - i % 2]) for i in range(30)]
            first = play(a, actions, 5)
            self.assertEqual(first, play(b, actions, 5))
            second = play(a, actions, None)
            self.assertEqual(second, play(b, actions, None))
            self.assertEqual(first, play(a, actions, 5))
            other = play(a, actions, 6)
            if seeds == "new":
                self.assertNotEqual(first, second)
                self.assertNotEqual(first, other)
            else:
                self.assertEqual(first, other)

    def test_ends(self):
        env = self.make(seeds="same")
        with self.assertRaises(RuntimeError):
            env.step(numpy.zeros(2))
        env.reset()
        over = []
        for _ in range(20):
            *_, terminated, truncated, _ = env.step(numpy.float32([0, 0]))
            over.append((terminated, truncated))
        self.assertEqual(over, [(False, False)] * 19 + [(False, True)])
        env.reset()
        env._task.limit = None
        steps = 0
        while not env.step(numpy.float32([3, 3]))[2]:
            steps += 1
            self.assertLess(steps, 1000)
        with self.assertRaises(ValueError):
            env.step(numpy.zeros(3))
        env.close()
        env.close()
        for wrong in (dict(seeds="old"), dict(every=0), dict(render_mode="human"), dict(render_mode="rgb_array")):
            with self.assertRaises(ValueError):
                self.make(**wrong)
        for wrong in (dict(actions=["balancer.motor.*"]), dict(observations=["balancer.boddy.z"])):
            with self.assertRaises(KeyError):
                self.make(**wrong)

    def test_start_and_pictures(self):
        def start(session, random):
            session.set("impreza.chassis.headlight_left.intensity", random.uniform())
            session.step(3)

        env = simbatch.gym.Env(
            FIRST_DRIVE,
            actions="*.drive_chassis.*",
            observations=["*.headlight_left.intensity"],
            reward=lambda s: 0,
            start=start,
            seeds="same",
            camera="impreza.chassis.front_view",
            render_mode="rgb_array",
        )
        self.addCleanup(env.close)
        first, info = env.reset(seed=1)
        self.assertEqual(info["step"], 3)
        self.assertTrue(0 < first[0] < 1)
        self.assertNotEqual(env.reset()[0][0], first[0])
        self.assertEqual(env.reset(seed=1)[0][0], first[0])
        picture = env.render()
        self.assertEqual((picture.shape, picture.dtype), ((240, 320, 3), numpy.uint8))
        self.assertAlmostEqual(env.metadata["render_fps"], 200)

    def test_a_vector_is_its_environments(self):
        for seeds in ("new", "same"):
            vector = simbatch.gym.VectorEnv(BALANCE, 3, **task(seeds=seeds, limit=6))
            single = [self.make(seeds=seeds, limit=6) for _ in range(3)]
            observations, info = vector.reset(seed=4)
            self.assertEqual(observations.shape, (3, *single[0].observation_space.shape))
            self.assertEqual(vector.action_space.shape, (3, 2))
            for i, env in enumerate(single):
                self.assertEqual(env.reset(seed=4 + i)[0].tobytes(), observations[i].tobytes())
            over, ended = [False] * 3, 0
            chance = numpy.random.default_rng(2)
            for _ in range(15):
                actions = chance.uniform(-3, 3, (3, 2)).astype("float32")
                observations, rewards, terminated, truncated, info = vector.step(actions)
                for i, env in enumerate(single):
                    if over[i]:
                        self.assertEqual(env.reset()[0].tobytes(), observations[i].tobytes())
                        self.assertEqual((rewards[i], terminated[i], truncated[i]), (0, False, False))
                        over[i] = False
                        continue
                    observation, reward, *ends, each = env.step(actions[i])
                    self.assertEqual(observation.tobytes(), observations[i].tobytes())
                    self.assertEqual((reward, *ends), (rewards[i], terminated[i], truncated[i]))
                    self.assertEqual(each["step"], info["step"][i])
                    over[i] = any(ends)
                    ended += over[i]
            self.assertGreaterEqual(ended, 6)
            vector.close()
            vector.close()


if __name__ == "__main__":
    unittest.main()
