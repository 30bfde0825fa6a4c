"""Linear models: matrices, modes, responses, reduction."""
import numpy as np

from . import _core, plots
from ._objects import ArrayLike, Constant, band_of, listed, optional, whole
from ._progress import watching
from ._text import Report, Table
from .system import sparse

BLOCKS = ("M", "D", "K", "G", "C_T", "K_T", "H_q", "H_v", "C", "H", "K_phi", "G_phi", "H_phi", "T_phi", "P", "B", "B_T",
          "B_phi", "Y_q", "Y_v", "Y_T", "Y_phi", "Y_u")


class Modes(list):
    """Modes in order of frequency: dicts with frequency [Hz], damping ratio, eigenvalue re + i im [1/s], effective masses
    [kg], kind. Displayed as a table. ``frequencies`` and ``shapes`` (modes, coordinates; only if requested) are arrays."""

    shapes = None

    @property
    def frequencies(self):
        """Frequencies [Hz]."""
        return np.array([m["frequency"] for m in self])

    @property
    def damping(self):
        """Damping ratios."""
        return np.array([m["damping"] for m in self])

    @property
    def table(self):
        """Frequency, damping ratio, kind and effective masses."""
        return Table(("mode", "Hz", "damping", "kind", "kg, x", "kg, y", "kg, z"),
                     ([i + 1, m["frequency"], m["damping"], m["kind"], *m["mass"]] for i, m in enumerate(self)))

    def plot(self, *, axes=None):
        """Plot the effective masses over the modes, or the damping ratios if there are no masses, with the frequencies.
        ``axes``: draw into these instead. Returns a tuple of one pair of axes. Needs matplotlib."""
        return plots.modes(self, axes)

    def __str__(self):
        return str(self.table)

    __repr__ = __str__

    def _repr_html_(self):
        return self.table._repr_html_()


class Response(ArrayLike):
    """Frequency response, used like the complex array of its ``values`` (frequencies, outputs, inputs).

    ``f``: frequencies [Hz]; ``inputs``, ``outputs``: names; ``units``: of inputs and of outputs. ``response["tip.x"]`` is the
    response of an output (frequencies, inputs), ``response["tip.x", "push.y"]`` that to one input (frequencies,).
    """

    def __init__(self, f, values, model):
        self.f, self.values = f, values
        self.inputs, self.outputs, self.units = model.inputs, model.outputs, model.units

    def _index(self, names, name, what):
        name = f"{name}.value" if f"{name}.value" in names else name  # a scalar probe
        if name not in names:
            raise KeyError(f"there is no {what} {name!r}; there are {listed(names)}")
        return names.index(name)

    def __getitem__(self, key):
        if isinstance(key, str):
            return self.values[:, self._index(self.outputs, key, "output")]
        if isinstance(key, tuple) and len(key) == 2 and all(isinstance(k, str) for k in key):
            return self[key[0]][:, self._index(self.inputs, key[1], "input")]
        return self.values[key]

    @property
    def magnitude(self):
        """Absolute values."""
        return np.abs(self.values)

    @property
    def phase(self):
        """Phases [rad], continuous over the frequencies."""
        return np.unwrap(np.angle(self.values), axis=0)

    def to_pandas(self):
        """A pandas.DataFrame with the frequencies as index and a column (output, input) for each pair."""
        pandas = optional("pandas", "python3-pandas", "to_pandas")
        columns = pandas.MultiIndex.from_product([self.outputs, self.inputs], names=["output", "input"])
        made = pandas.DataFrame(self.values.reshape(len(self), -1), index=self.f, columns=columns)
        made.index.name = "f"
        return made

    def to_xarray(self):
        """An xarray.DataArray with the coordinates ``f``, ``output`` and ``input``."""
        array = optional("xarray", "python3-xarray", "to_xarray").DataArray
        coordinates = {"f": self.f, "output": list(self.outputs), "input": list(self.inputs)}
        return array(self.values, coordinates, list(coordinates), "response")

    def plot(self, outputs=None, inputs=None, *, axes=None, **style):
        """Bode plot of these outputs and inputs, or of all. ``axes``: draw into these two instead. Returns the axes of
        magnitude and phase. Needs matplotlib."""
        def chosen(names, given, what):
            given = names if given is None else (given,) if isinstance(given, str) else tuple(given)
            return [self._index(names, name, what) for name in given]

        return plots.bode(self, chosen(self.outputs, outputs, "output"), chosen(self.inputs, inputs, "input"), axes, style)

    def __repr__(self):
        band = f"{self.f[0]:.6g} to {self.f[-1]:.6g} Hz, " if len(self.f) else ""
        return f"<Response: {band}{len(self.f)} frequencies, {len(self.outputs)} outputs, {len(self.inputs)} inputs>"


def _columns(matrix, what):
    """(rows, columns, column starts, row indices, values) of a sparse or dense matrix; None for None."""
    if matrix is None:
        return None
    if hasattr(matrix, "tocsc"):
        matrix = matrix.tocsc().sorted_indices()
        matrix.sum_duplicates()
    if all(hasattr(matrix, name) for name in ("indptr", "indices", "data", "shape")):
        return (int(matrix.shape[0]), int(matrix.shape[1]), np.ascontiguousarray(matrix.indptr, np.int32),
                np.ascontiguousarray(matrix.indices, np.int32), np.ascontiguousarray(matrix.data, float))
    full = np.asarray(matrix)
    if full.dtype.kind not in "biuf":
        raise TypeError(f"{what} must be a matrix of real numbers")
    full = np.atleast_2d(full.astype(float))
    if full.ndim != 2:
        raise ValueError(f"{what} must be a matrix")
    column, row = np.nonzero(full.T)
    start = np.searchsorted(column, np.arange(full.shape[1] + 1)).astype(np.int32)
    return full.shape[0], full.shape[1], start, row.astype(np.int32), np.ascontiguousarray(full[row, column])


def _done(error):
    """The first rows that an interrupted call has computed; None: none."""
    block = error.__dict__.pop("_computed", None)
    if block is None:
        return None
    rows = np.asarray(block)
    missing = np.flatnonzero(np.isnan(rows).reshape(len(rows), -1).any(axis=1)) if rows.size else [0]
    return rows[: missing[0]] if len(missing) else rows


def _ports(names):
    """Names or (name, unit) pairs as (name, unit) pairs; None for None."""
    if names is None:
        return None
    names = [names] if isinstance(names, str) else list(names)
    pairs = [(n, "") if isinstance(n, str) else n for n in names]
    if not all(isinstance(p, tuple) and len(p) == 2 and all(isinstance(x, str) for x in p) for p in pairs):
        raise TypeError(f"inputs and outputs are names or pairs (name, unit), not {names!r}")
    return tuple(pairs)


class LinearModel(Constant):
    """M q'' + D q' + K q + ... = B u with temperatures and potentials, y = Y_q q + ..., with sparse blocks.

    ``model.M``, ``model.K`` ... are the matrices (scipy.sparse if installed); see theory guide 4.3. Made by
    :meth:`System.linearise`, by :func:`matrices` from user-supplied matrices, by :func:`state_space`, or read by
    :func:`read_linear`.

    >>> import gossamer as gos
    >>> chain = gos.matrices(M=[[2, 0], [0, 1]], K=[[8, -4], [-4, 4]], B=[[0], [1]], C=[[0, 1]], inputs=["push"])
    >>> print(", ".join(f"{w:.4f}" for w in 2 * 3.141592653589793 * chain.modes(2).frequencies))
    1.0824, 2.6131
    >>> A, B, C, D = chain.state_space()
    >>> A.shape
    (4, 4)
    """

    _remedy = "keep it in a file (save(path)) and read it there by read_linear(path)"

    def __init__(self, core, report=None, reduction=None):
        if not isinstance(core, _core.Linear):
            raise TypeError("a linear model is made by linearise, matrices, state_space or read_linear")
        self._core = core
        self.report = report
        self._reduction = reduction

    @property
    def info(self):
        """Sizes, mass and properties."""
        return self._core.info

    @property
    def inputs(self):
        """Names of inputs."""
        return tuple(n for n, _ in self._core.inputs)

    @property
    def outputs(self):
        """Names of outputs."""
        return tuple(n for n, _ in self._core.outputs)

    @property
    def units(self):
        """Units of inputs and of outputs."""
        return tuple(u for _, u in self._core.inputs), tuple(u for _, u in self._core.outputs)

    @property
    def coordinates(self):
        """Names of coordinates."""
        return self._core.coordinates

    @property
    def temperatures(self):
        """Names of temperatures."""
        return self._core.temperatures

    def __getitem__(self, block):
        return sparse(*self._core.block(block))

    def __getattr__(self, name):
        if name in BLOCKS:
            return self[name]
        raise AttributeError(f"a linear model has no {name!r}; its blocks are {', '.join(BLOCKS)}")

    def __setattr__(self, name, value):
        if name in BLOCKS:
            raise AttributeError(f"{name} cannot be set: linear models are immutable; make another one by gossamer.matrices")
        super().__setattr__(name, value)

    def __dir__(self):
        return list(super().__dir__()) + list(BLOCKS)

    def modes(self, n=10, *, damped=False, shapes=False):
        """The n lowest modes, undamped or damped. ``shapes``: undamped modes with shapes, X^T M X = 1."""
        n = whole(n, "the number of modes")
        if shapes:
            if damped:
                raise ValueError("shapes are available for undamped modes only")
            with watching(None, "modes"):
                got, x = self._core.shapes(n)
            modes = Modes(got)
            modes.shapes = np.asarray(x)[: len(modes)]
            return modes
        with watching(None, "modes"):
            return Modes(self._core.modes(n, bool(damped)))

    def response(self, frequency=None):
        """Frequency response at frequencies [Hz], a :class:`Response`; default: 400 frequencies of a band around the lowest
        modes. An interrupted call raises an exception whose ``partial`` has the response so far."""
        if frequency is None:
            frequency = np.geomspace(*self._core.band(), 400)
        if np.iscomplexobj(frequency):
            raise TypeError("frequencies must be real numbers [Hz]")
        f = np.ascontiguousarray(np.atleast_1d(frequency), dtype=float)
        if f.ndim != 1:
            raise ValueError("frequencies must be a number or a list of numbers [Hz]")
        with watching(None, "frequency response"):
            try:
                H = np.asarray(self._core.response(2 * np.pi * f))
            except BaseException as error:
                done = _done(error)
                if done is not None:
                    error.partial = Response(f[: len(done)], done[..., 0] + 1j * done[..., 1], self)
                raise
        return Response(f, H[..., 0] + 1j * H[..., 1], self)

    def bode(self, frequency=None, *, outputs=None, inputs=None, axes=None, **style):
        """Bode plot: :meth:`response` at frequencies [Hz] and :meth:`Response.plot`."""
        return self.response(frequency).plot(outputs, inputs, axes=axes, **style)

    def transient(self, u, h, scheme="auto"):
        """Outputs (times, outputs) at times 0, h, 2 h, ... from rest, for inputs u (times, inputs), linear between the times.
        An interrupted call raises an exception whose ``partial`` has the outputs so far."""
        schemes = ("auto", "exact", "implicit")
        if scheme not in schemes:
            raise ValueError(f"the scheme must be one of {', '.join(schemes)}")
        u = np.ascontiguousarray(u, dtype=float)
        if u.ndim == 1:
            u = u[:, None]
        if u.ndim != 2 or u.shape[1] != len(self.inputs):
            raise ValueError(f"u must have a column for each of {len(self.inputs)} inputs")
        if not np.isfinite(u).all():
            raise ValueError("u has a value that is not finite")
        with watching(None, "transient response"):
            try:
                return np.asarray(self._core.transient(float(h), len(u), u, schemes.index(scheme)))
            except BaseException as error:
                error.partial = _done(error)
                raise

    def first_order(self):
        """The equivalent first-order model with constraints eliminated."""
        with watching(None, "first-order model"):
            return LinearModel(self._core.first_order())

    def descriptor(self):
        """(E, A, B, C, D) of E x' = A x + B u, y = C x + D u, dense."""
        first = self.first_order()

        def full(block):
            return np.asarray(first[block].toarray())

        return full("C_T"), -full("K_T"), full("B_T"), full("Y_T"), full("Y_u")

    def state_space(self):
        """(A, B, C, D) of x' = A x + B u, y = C x + D u, dense."""
        E, A, B, C, D = self.descriptor()
        if len(E) and not np.linalg.cond(E) < 1e14:
            raise np.linalg.LinAlgError("E is singular, for example due to electric potentials: use descriptor()")
        return np.linalg.solve(E, A), np.linalg.solve(E, B), C, D

    def to_scipy(self):
        """A scipy.signal.StateSpace."""
        from scipy.signal import StateSpace

        return StateSpace(*self.state_space())

    def to_control(self):
        """A control.StateSpace of python-control, with input and output names."""
        import control

        return control.ss(*self.state_space(), inputs=list(self.inputs), outputs=list(self.outputs))

    def reduce(self, method="auto", *, order=0, tolerance=0.0, band=(0.0, 0.0), ranking=None, two_sided=False, points=None,
               each=False, accept=False, transient=False, candidates=0, snapshots=0, correction=0, progress=None):
        """Make a reduced :class:`LinearModel`; its ``report`` contains the sizes and the error.

        ``method``: see ``gossamer help reduction``, for example krylov, modes, craig_bampton, balanced; ``band`` [Hz];
        ``points``: complex expansion points [1/s]; the other arguments as in the model file.
        """
        if points is not None:
            points = np.ascontiguousarray(np.atleast_1d(points), dtype=complex).view(float)
        band = tuple(2 * np.pi * f for f in band_of(band))
        with watching(progress, "reduction") as tell:
            made = self._core.reduce(method, int(order), float(tolerance), band, ranking, bool(two_sided), points,
                                     bool(each), bool(accept), bool(transient), int(candidates), int(snapshots),
                                     int(correction), tell)
        made_report = Report(made.report, f"reduced by {method}")
        model = LinearModel(made.model, made_report, made)
        model._method = method
        return model

    def basis(self, field="displacement", left=False):
        """The basis V (full, reduced) of a field of a reduced model: full values = V times reduced values."""
        fields = ("displacement", "temperature", "potential")
        if self._reduction is None:
            raise ValueError("this model is not reduced")
        if field not in fields:
            raise ValueError(f"the field must be one of {', '.join(fields)}")
        return np.asarray(self._reduction.basis(fields.index(field), bool(left))).T

    @property
    def hankel(self):
        """Hankel singular values of a model reduced by a balanced method."""
        return np.asarray(self._reduction.hankel()) if self._reduction is not None else np.zeros(0)

    def compare(self, reduced, band):
        """Errors of a reduced model on a band [Hz]: relative (H-infinity norm on the band), pointwise, and frequency of the
        largest error."""
        if not isinstance(reduced, LinearModel):
            raise TypeError("a LinearModel is needed")
        low, high = band_of(band)
        error = _core.band_error(self._core, reduced._core, 2 * np.pi * low, 2 * np.pi * high)
        error["worst"] /= 2 * np.pi
        return error

    def save(self, path):
        """Store the model and its report in an HDF5 file, with all bits."""
        if self._reduction is not None:
            self._reduction.save(self._method, path)
        else:
            self._core.save(path, 0)

    def write_folder(self, path, state_space=False):
        """Write a folder of Matrix Market files, one for each block, or E, A, B, C, D."""
        self._core.save(path, 2 if state_space else 1)

    def __repr__(self):
        i = self.info
        parts = [f"{i[k]} {k}" for k in ("coordinates", "temperatures", "potentials") if i[k]]
        return f"<LinearModel: {', '.join(parts)}, {i['inputs']} inputs, {i['outputs']} outputs>"


def matrices(*, M=None, D=None, K=None, G=None, E=None, A=None, B=None, C=None, C_v=None, F=None, inputs=None, outputs=None,
             symmetric=False, second_order=False):
    """A linear model of user-supplied matrices, dense or sparse: M q'' + D q' + K q = B u, G q = 0, y = C q + C_v q' + F u
    if M is given, or E x' = A x + B u, y = C x + F u if A is given. ``inputs``, ``outputs``: names or (name, unit)."""
    given = {"M": M, "D": D, "K": K, "G": G, "E": E, "A": A, "B": B, "C": C, "C_v": C_v, "F": F}
    return LinearModel(_core.linear_matrices(tuple(_columns(x, name) for name, x in given.items()), _ports(inputs),
                                             _ports(outputs), bool(symmetric), bool(second_order)))


def state_space(A, B=None, C=None, D=None, *, inputs=None, outputs=None):
    """A linear model x' = A x + B u, y = C x + D u, from four matrices or from one object of scipy.signal or
    python-control."""
    if B is None and C is None and D is None:
        if not all(hasattr(A, name) for name in "ABCD"):
            raise TypeError("four matrices are needed, or an object with attributes A, B, C and D")
        if inputs is None and hasattr(A, "input_labels"):
            inputs, outputs = list(A.input_labels), list(A.output_labels)
        A, B, C, D = A.A, A.B, A.C, A.D
    return matrices(A=A, B=B, C=C, F=D, inputs=inputs, outputs=outputs)


def read_linear(path):
    """Read a linear model: a file of :meth:`LinearModel.save` or of ``gossamer export``, or a folder of Matrix Market
    files."""
    return LinearModel(_core.linear_read(path))


__all__ = ["LinearModel", "Modes", "Response", "matrices", "state_space", "read_linear"]
