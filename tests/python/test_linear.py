"""Linear models: matrices there and back, modes, responses, reduction."""
import os
import tempfile
import unittest

import support
import numpy as np

import gossamer as gos


def chain(n=20):
    """Masses of 1 kg between springs of 100 N/m, the first held; pushed and looked at at the last."""
    K = 100 * (2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    K[-1, -1] = 100
    B = np.zeros((n, 1))
    B[-1] = 1
    return gos.matrices(M=np.eye(n), D=2e-3 * K, K=K, B=B, C=B.T, inputs=[("push", "N")], outputs=["end"]), K, B


class Matrices(unittest.TestCase):
    def test_blocks(self):
        model, K, B = chain()
        np.testing.assert_array_equal(model.K.toarray(), K)
        np.testing.assert_array_equal(model["B"].toarray(), B)
        self.assertEqual((model.inputs, model.outputs, model.units[0]), (("push",), ("end",), ("N",)))
        self.assertTrue(model.info["symmetric"])

    def test_modes(self):
        """omega = 2 sqrt(k/m) sin((2 i - 1) pi / (2 (2 n + 1))) of a chain that is held at one end."""
        n = 20
        exact = 20 * np.sin((2 * np.arange(1, 6) - 1) * np.pi / (2 * (2 * n + 1))) / (2 * np.pi)
        modes = chain(n)[0].modes(5)
        np.testing.assert_allclose(modes.frequencies, exact, rtol=1e-12)
        damped = chain(n)[0].modes(5, damped=True)
        np.testing.assert_allclose(damped.damping, 2e-3 * 2 * np.pi * exact / 2, rtol=1e-9)  # D = beta K: beta omega / 2
        shapes = chain(n)[0].modes(5, shapes=True).shapes
        np.testing.assert_allclose(shapes @ shapes.T, np.eye(5), atol=1e-12)
        self.assertIn("Hz", str(modes))

    def test_response(self):
        model, K, B = chain()
        f = np.array([0.1, 0.7, 3.0])
        H = model.response(f)
        for k, w in enumerate(2 * np.pi * f):
            exact = B.T @ np.linalg.solve(K - w**2 * np.eye(20) + 1j * w * 2e-3 * K, B)
            np.testing.assert_allclose(H[k], exact, rtol=1e-10)
        default = model.response()
        self.assertEqual(default.shape, (len(default.f), 1, 1))

    def test_state_space(self):
        """There and back: the same responses; and a first-order model by scipy's convention."""
        model, _, _ = chain()
        A, B, C, D = model.state_space()
        back = gos.state_space(A, B, C, D, inputs=["push"], outputs=["end"])
        f = np.array([0.2, 1.0])
        np.testing.assert_allclose(back.response(f), model.response(f), rtol=1e-9)
        np.testing.assert_array_equal(back.state_space()[0], back.state_space()[0])

        class System:  # what scipy.signal and python-control have
            pass

        system = System()
        system.A, system.B, system.C, system.D = A, B, C, D
        np.testing.assert_array_equal(gos.state_space(system).response(f), back.response(f))

    def test_scipy(self):
        try:
            import scipy.signal  # noqa: F401
            import scipy.sparse
        except ImportError:
            self.skipTest("scipy is not installed")
        model, _, _ = chain(3)  # scipy goes by polynomials, which are bad for many states
        self.assertTrue(scipy.sparse.issparse(model.K))
        w, H = model.to_scipy().freqresp(2 * np.pi * np.array([0.2, 1.0]))
        np.testing.assert_allclose(H, model.response([0.2, 1.0])[:, 0, 0], rtol=1e-8)

    def test_transient(self):
        """An oscillator under a step of 1 N: 1 - cos(w t), of k = w^2."""
        w = 3.0
        model = gos.matrices(M=[[1]], K=[[w**2]], B=[[1]], C=[[1]])
        t = np.arange(200) * 0.01
        y = model.transient(np.ones(200), 0.01)
        np.testing.assert_allclose(y[:, 0], (1 - np.cos(w * t)) / w**2, atol=1e-12)

    def test_files(self):
        model, _, _ = chain()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "chain.h5")
            model.save(path)
            again = gos.read_linear(path)
            np.testing.assert_array_equal(again.K.toarray(), model.K.toarray())
            model.write_folder(os.path.join(folder, "blocks"))
            again = gos.read_linear(os.path.join(folder, "blocks"))
            np.testing.assert_array_equal(again.response([0.3]), model.response([0.3]))


class Reduction(unittest.TestCase):
    def test_krylov(self):
        model, _, _ = chain(60)
        small = model.reduce("krylov", order=6, band=(0.01, 0.3))
        self.assertEqual(small.info["coordinates"], 6)
        error = model.compare(small, (0.01, 0.3))
        self.assertAlmostEqual(small.report.predicted, error["relative"], delta=max(1e-9, 0.5 * error["relative"]))
        self.assertEqual(small.basis().shape, (60, 6))
        self.assertIn("meaning", str(small.report))
        with tempfile.TemporaryDirectory() as folder:
            small.save(os.path.join(folder, "small.h5"))
            again = gos.read_linear(os.path.join(folder, "small.h5"))
            np.testing.assert_array_equal(again.response([0.1]), small.response([0.1]))

    def test_balanced(self):
        model, _, _ = chain(12)
        small = model.reduce("balanced", order=6)
        sigma = small.hankel
        self.assertTrue((np.diff(sigma) <= 0).all())
        error = model.compare(small, (1e-3, 10))
        self.assertLessEqual(error["relative"] * error["largest"], 2 * sigma[6:].sum() * (1 + 1e-6))

    def test_unknown(self):
        model, _, _ = chain()
        with self.assertRaises(gos.Error):
            model.reduce("krilov", order=4)

    def test_lifetime(self):
        model, _, _ = chain()
        small = model.reduce("modes", order=3)
        basis = small.basis()
        copy = basis.copy()
        del model, small
        np.testing.assert_array_equal(basis, copy)


class Linearised(unittest.TestCase):
    def test_pendulum(self):
        """A hanging rod swings with sqrt(3 g / 2 L) where it is stiff."""
        model = gos.load(support.PENDULUM)
        model["materials.rubber.young"] = 1e11
        model["bodies.rod.to"] = [0, "-L", 0]
        linear = model.system().linearise(equilibrium=True)
        modes = linear.modes(4)
        swing = [m["frequency"] for m in modes if m["frequency"] > 0.1][:2]
        np.testing.assert_allclose(swing, np.sqrt(1.5 * 9.81 / 1.2) / (2 * np.pi), rtol=1e-4)
        self.assertIn("tip.x", linear.outputs)
        self.assertIn("push.y", linear.inputs)
        self.assertTrue(any("rod" in name for name in linear.coordinates))

    def test_response_is_transient(self):
        """The linear model's response to a ramp against the nonlinear one for a small force."""
        model = gos.load(support.PENDULUM)
        model["bodies.rod.to"] = [0, "-L", 0]
        model["loads.push.value"] = ["1e-5*t", 0, 0]
        model["analysis.start"] = "equilibrium"
        system = model.system()
        linear = system.linearise(equilibrium=True)
        run = system.run(progress=False)
        u = np.zeros((201, len(linear.inputs)))
        u[:, linear.inputs.index("push.x")] = 1e-5 * run.time
        y = linear.transient(u, 1e-3, scheme="implicit")[:, linear.outputs.index("tip.x")]
        self.assertLess(abs(y - run["tip"].x).max(), 2e-3 * abs(y).max())


if __name__ == "__main__":
    unittest.main(verbosity=2)
