"""Plots with matplotlib: time histories, modes, Bode plots. Each function returns a tuple of axes."""
import numpy as np

from ._objects import optional


def _axes(axes, rows, sharex=True):
    """Axes of a new figure with this number of rows, or those given."""
    if axes is None:
        pyplot = optional("matplotlib.pyplot", "python3-matplotlib", "plot")
        _, made = pyplot.subplots(rows, sharex=sharex, squeeze=False, figsize=(7, 1.4 + 2.4 * rows), layout="constrained")
        return tuple(made[:, 0])
    axes = tuple(np.ravel(np.asarray(axes, dtype=object)))
    if len(axes) != rows:
        raise ValueError(f"axes: {rows} axes are needed, one for each unit or part of the plot, not {len(axes)}")
    return axes


def histories(chosen, axes, style):
    """Plot pairs (series, component or "" for all) over time, with one pair of axes for each unit."""
    lines = []
    for series, component in chosen:
        columns = np.asarray(series.values).reshape(len(series), -1)
        units = series.unit.split(", ") if ", " in series.unit else [series.unit] * columns.shape[1]
        for k, label in enumerate(series.labels):
            if component in ("", series.components[k]):
                lines.append((units[k], label, series.t, columns[:, k]))
    units = list(dict.fromkeys(unit for unit, *_ in lines))
    if not units:
        raise ValueError("there is no probe to plot; name one, or add probes to the model")
    axes = _axes(axes, len(units))
    for unit, label, t, y in lines:
        axes[units.index(unit)].plot(t, y, **{"label": label, **style})
    for one, unit in zip(axes, units):
        one.set_ylabel(f"[{unit}]")
        one.legend()
    axes[-1].set_xlabel("time [s]")
    return axes


def modes(found, axes):
    """Bars of the effective masses, or of the damping ratios without masses, labelled with the frequencies."""
    if not len(found):
        raise ValueError("there is no mode to plot")
    (one,) = _axes(axes, 1)
    mass = np.array([m["mass"] for m in found], float).reshape(len(found), 3)
    number = np.arange(1, len(found) + 1)
    if mass.any():
        for k, direction in enumerate("xyz"):
            one.bar(number + 0.27 * (k - 1), mass[:, k], 0.27, label=direction)
        one.set_ylabel("effective mass")
        one.legend()
    else:
        one.bar(number, 100 * found.damping, 0.6)
        one.set_ylabel("damping ratio [%]")
    one.set_xticks(number, [f"{i}\n{f:.4g}" for i, f in zip(number, found.frequencies)])
    one.set_xlabel("mode, frequency [Hz]")
    return (one,)


def _decibel(magnitude):
    with np.errstate(divide="ignore"):
        return 20 * np.log10(magnitude)


def bode(response, outputs, inputs, axes, style):
    """Magnitude [dB] and phase [degrees] over frequency, for indices of outputs and inputs."""
    axes = _axes(axes, 2)
    magnitude, phase = _decibel(response.magnitude), np.degrees(response.phase)
    for i in outputs:
        for j in inputs:
            label = {"label": f"{response.outputs[i]} / {response.inputs[j]}", **style}
            axes[0].semilogx(response.f, magnitude[:, i, j], **label)
            axes[1].semilogx(response.f, phase[:, i, j], **label)
    axes[0].set_ylabel("magnitude [dB]")
    axes[1].set_ylabel("phase [degrees]")
    axes[1].set_xlabel("frequency [Hz]")
    axes[0].legend()
    return axes
