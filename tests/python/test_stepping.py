"""Stepping in a loop, states, equations, environments."""
import math
import unittest

import support
import numpy as np

import gossamer as gos

CART = """
bodies: {cart: {type: rigid, mass: 2, inertia: [1, 1, 1]}}
loads: {push: {type: force, on: cart, value: [0, 0, 0]}}
probes: {place: {at: cart, quantity: position}, speed: {at: cart, quantity: velocity}}
analysis: {end: 10, step: 0.01}
"""


class Stepping(unittest.TestCase):
    def cart(self, **how):
        return gos.load(CART).system().stepper(["push.x"], ["place.x", "place.x'", "speed.x"], **how)

    def test_force(self):
        """A constant force: x = F t^2 / 2m, which the scheme has exactly; held inputs, two ways to give them."""
        run = self.cart()
        for k in range(50):
            y = run.step(0.01, 4.0)
        self.assertIs(y, run.y)
        run.u[0] = -4.0
        for k in range(50, 100):
            run.advance((k + 1) * 0.01)
        # 1/4 m and 1 m/s after 0.5 s, then to rest at 1/2 m
        np.testing.assert_allclose(run.y, [0.5, 0, 0], atol=1e-12)
        self.assertEqual(run.statistics["steps"], 100)
        self.assertEqual(run.outputs, ("place.x", "place.x'", "speed.x"))

    def test_ramp(self):
        """A force that grows linearly to 4 N at 1 s: v = t^2 at F = 4 t, m = 2, and x = t^3/3."""
        run = self.cart(ramp=True)
        for k in range(100):
            y = run.advance((k + 1) * 0.01, 4.0 * (k + 1) * 0.01)
        np.testing.assert_allclose(y, [1 / 3, 1, 1], rtol=2e-4)  # of second order: (0.01)^2

    def test_against_run(self):
        """Steps have the bits of a run: fixed steps, and error control that ends at the same times."""
        system = gos.load(support.PENDULUM).system()
        run = system.run(progress=False)
        loop = system.stepper(outputs=["tip"])
        for k in range(200):
            y = loop.advance(float(run.time[k + 1]))
            np.testing.assert_array_equal(y, run["tip"][k + 1])

    def test_save(self):
        """What is restored continues to the last bit."""
        loop = gos.load(support.PENDULUM).system().stepper(["push.y"], ["tip"])
        loop.advance(0.05, 0.1)
        saved = loop.save()
        self.assertEqual(saved.inputs["push.y"], 0.1)
        first = [loop.step(1e-3).copy() for _ in range(20)]
        loop.restore(saved)
        second = [loop.step(1e-3).copy() for _ in range(20)]
        np.testing.assert_array_equal(first, second)
        other = saved.system.stepper(["push.y"], ["tip"], state=saved.copy())
        np.testing.assert_array_equal([other.step(1e-3, 0.1).copy() for _ in range(20)], first)

    def test_stale(self):
        system = gos.load(support.PENDULUM).system()
        state = system.state()
        first = system.stepper(outputs=["tip"], state=state)
        system.stepper(outputs=["tip"], state=state)
        with self.assertRaisesRegex(RuntimeError, "was changed elsewhere"):
            first.step(1e-3)

    def test_events(self):
        text = support.ARM.replace("AMOUNT", "0") + "events: {low: {signal: angle, limit: -1, action: end}}\n"
        loop = gos.load(text).system().stepper(outputs=["angle"])
        loop.advance(2.0)
        self.assertTrue(loop.ended)
        self.assertLess(loop.time, 2.0)
        self.assertAlmostEqual(loop.y[0], -1, delta=1e-6)
        ((name, time, rising),) = loop.events
        self.assertEqual((name, rising), ("low", False))
        with self.assertRaisesRegex(RuntimeError, "an event has ended"):
            loop.step(0.1)

    def test_environment(self):
        env = gos.Env(gos.load(CART).system(), "push.x", ["place.x", "speed.x"], 0.1, end=1.0,
                      reward=lambda y, u, t: -abs(y[0]), start=lambda state, random: state.set_coordinate(
                          "cart.position", rate=[random.uniform(-1, 1), 0, 0]))
        seen = []
        for seed in (3, 3, 4):
            y, info = env.reset(seed=seed)
            self.assertEqual(info["time"], 0)
            while True:
                y, reward, terminated, truncated, info = env.step(-y[1])
                self.assertEqual(reward, -abs(y[0]))
                if terminated or truncated:
                    break
            self.assertTrue(truncated)
            seen.append(y)
        np.testing.assert_array_equal(seen[0], seen[1])
        self.assertNotEqual(seen[0][0], seen[2][0])


class States(unittest.TestCase):
    def test_coordinates(self):
        state = gos.load(support.ARM.replace("AMOUNT", "0")).system().state()
        place, rate = state.coordinate("b.position")
        np.testing.assert_array_equal(place, [1, 0, 0])
        np.testing.assert_array_equal(rate, 0)
        state.set_coordinate("b.position", [1, 1e-3, 0])
        changed = state.settle()
        self.assertAlmostEqual(changed["violation"], 1e-3, delta=1e-9)
        self.assertIn("h", changed["where"])
        place, _ = state.coordinate("b.position")
        self.assertAlmostEqual(np.linalg.norm(place), 1, delta=1e-12)

    def test_momentum(self):
        state = gos.load(CART).system().state()
        state.set_coordinate("cart.position", rate=[3, 0, 0])
        np.testing.assert_allclose(state.momentum[0], [6, 0, 0], atol=1e-14)
        self.assertAlmostEqual(state.energy["kinetic"], 9)
        np.testing.assert_array_equal(state.rate("place"), [3, 0, 0])

    def test_equilibrium(self):
        """A cantilever under its tip load against w = F L^3 / 3 E I."""
        model = gos.load(support.PENDULUM, torque=-1e-3, n=8)
        model["joints.pin"] = {"type": "clamp", "between": ["ground", "rod.start"]}
        model["gravity"] = [0, 0, 0]
        state = model.system().state()
        state.equilibrium()
        inertia = 0.02 * 0.01**3 / 12
        self.assertAlmostEqual(state["height"], -1e-3 * 1.2**3 / (3 * 1e8 * inertia), delta=2e-6)

    def test_copies(self):
        system = gos.load(support.PENDULUM).system()
        a = system.state()
        a.inputs["push.y"] = 0.25
        b = a.copy()
        a.inputs["push.y"] = 0.5
        self.assertEqual((a.inputs["push.y"], b.inputs["push.y"]), (0.5, 0.25))
        b.assign(a)
        self.assertEqual(b.inputs["push.y"], 0.5)


class Equations(unittest.TestCase):
    def test_residual(self):
        """At rest the residual is gravity's: the mass falls."""
        system = gos.load(support.PENDULUM).system()
        state = system.state()
        equations = system.equations()
        r = equations.residual(state)
        m = system.sizes
        n = m["coordinates"]
        self.assertEqual(len(r), n + m["temperatures"] + m["constraints"] + m["temperature_constraints"])
        # positions of nodes alone see the whole weight (slopes have moments about them): partition of unity
        names = list(system.coordinates)
        weight = sum(r[3 * i + 1] for i, name in enumerate(names) if name.endswith("position"))
        self.assertAlmostEqual(weight, 9.81 * 2000 * 0.01 * 0.02 * 1.2, delta=1e-9)

    def test_jacobian(self):
        """Against central differences at a bent state in motion, by q, v, a and multipliers."""
        system = gos.load(support.PENDULUM).system()
        loop = system.stepper(outputs=["tip"])
        loop.advance(0.1)
        eq, state = system.equations(), loop.state
        point = eq.at(state)
        J = {k: eq.jacobian(state, by_rate=r, by_acceleration=a).toarray()
             for k, r, a in (("q", 0, 0), ("v", 1, 0), ("a", 0, 1))}
        random = np.random.default_rng(1)
        nq, nc = len(point["q"]), len(point["lam"])
        for key in ("q", "v", "a", "lam"):
            d = random.standard_normal(len(point[key]))
            h = 1e-6
            difference = (eq.residual(state, **{key: point[key] + h * d}) - eq.residual(state, **{key: point[key] - h * d})) / (2 * h)
            if key == "q":
                exact = J["q"][:, :nq] @ d
            elif key == "lam":
                exact = J["q"][:, -nc:] @ d
            else:
                exact = (J[key] - J["q"])[:, :nq] @ d
            self.assertLess(abs(difference - exact).max(), 1e-6 * max(1, abs(exact).max()), key)

    def test_time(self):
        """t replaces the time of functions."""
        system = gos.load(support.PENDULUM.replace("[0, torque, 0]", '[0, "3*t", 0]')).system()
        eq, state = system.equations(), system.state()
        self.assertAlmostEqual(abs(eq.residual(state, t=2.0) - eq.residual(state)).max(), 6, delta=1e-12)
        self.assertTrue(math.isfinite(eq.residual(state).sum()))


if __name__ == "__main__":
    unittest.main(verbosity=2)
